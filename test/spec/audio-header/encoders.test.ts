import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import test from 'ava'

import { probed } from '../../support/probing.ts'

/** What real encoders wrote; `seconds` is what ffprobe says of the file, or how much audio was encoded where it is null. */
const files: readonly (readonly [name: string, contentType: string, seconds: number])[] = [
  ['cbr.mp3', 'audio/mpeg', 1.08],
  ['vbr.mp3', 'audio/mpeg', 1],
  ['speech.aac', 'audio/aac', 1.088],
  ['speech.m4a', 'audio/mp4', 1],
  ['faststart.m4a', 'audio/mp4', 1],
  ['fragmented.m4a', 'audio/mp4', 1.064],
  ['talking.mp4', 'video/mp4', 1],
  ['talking.mov', 'video/quicktime', 1],
  ['speech.3gp', 'audio/3gpp', 1],
  ['opus.ogg', 'audio/ogg', 1],
  ['vorbis.ogg', 'audio/ogg', 1],
  ['speex.ogg', 'audio/ogg', 1],
  ['flac.ogg', 'audio/ogg', 0.5],
  ['speech.webm', 'audio/webm', 1.008],
  ['live.webm', 'audio/webm', 1],
  ['talking.webm', 'video/webm', 1.008],
  ['speech.mka', 'audio/x-matroska', 1.008],
  ['speech.flac', 'audio/flac', 0.5],
  ['speech.amr', 'audio/amr', 1],
  ['speech.wma', 'audio/x-ms-wma', 1.024],
  ['speech.au', 'audio/basic', 0.5],
  ['speech.aifc', 'audio/aiff', 0.5],
  ['speech.caf', 'audio/x-caf', 1.02],
]
const toleranceSeconds = 0.05

for (const [name, contentType, seconds] of files)
  test(`${name} of a real encoder is ${contentType} of ${seconds} s`, async (t) => {
    const verdict = await probed(await readFile(resolve('test/fixtures/media', name)))
    t.like(verdict, { audio: true, contentType })
    const measured = verdict.audio ? verdict.durationSeconds : null
    t.true(measured !== null && Math.abs(measured - seconds) <= toleranceSeconds, `it says ${measured} s`)
  })

test('a video without sound says so', async (t) => {
  for (const [name, reason] of [
    ['silent.mp4', 'is a video without sound'],
    ['silent.webm', 'is a WebM video without sound'],
  ] as const) {
    const verdict = await probed(await readFile(resolve('test/fixtures/media', name)))
    t.deepEqual(verdict, { audio: false, reason })
  }
})
