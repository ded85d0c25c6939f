import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { aLyingMovie } from '../../support/lying-movie.ts'
import { aMultipart, multipartType } from '../../support/multipart.ts'
import { hostileRequest } from './attack.ts'
import type { Attack, Target } from './attack.ts'

/** Work without end, for workers: recordings that are proper, and ones that lie. */

const sample = 'infra/samples/hinglish.wav'
const wavHeadBytes = 44
/** Some nine minutes of speech: twenty chunks. */
const repeats = 120
const notStoredYet = 409
const lookEveryMs = 200

async function longRecording(): Promise<Buffer> {
  const one = await readFile(sample)
  const speech = one.subarray(wavHeadBytes)
  const whole = Buffer.concat([one.subarray(0, wavHeadBytes), ...Array.from({ length: repeats }, () => speech)])
  whole.writeUInt32LE(whole.length - 8, 4)
  whole.writeUInt32LE(speech.length * repeats, wavHeadBytes - 4)
  return whole
}

/** Uploads it, and submits it once it is stored. */
async function submitted(target: Target, content: Uint8Array): Promise<string> {
  const body = aMultipart({ content })
  const uploaded = await hostileRequest(target, { method: 'POST', path: '/files/upload', type: multipartType, body })
  if (uploaded.status !== 202) return String(uploaded.status)
  const json = JSON.stringify({ batch_upload_id: JSON.parse(uploaded.text).batch_upload_id })
  for (;;) {
    const { status } = await hostileRequest(target, { method: 'POST', path: '/transcribe/batch', body: json })
    if (status !== notStoredYet) return String(status)
    await pause(lookEveryMs, undefined, { signal: target.signal })
  }
}

export const workAttacks: readonly Attack[] = [
  {
    name: 'nine minutes of speech, over and over',
    lanes: 2,
    strike: async (target) => submitted(target, await longRecording()),
  },
  {
    name: 'recordings that lie about their length',
    lanes: 2,
    strike: (target) => submitted(target, aLyingMovie(5_000)),
  },
  {
    name: 'sources that are nowhere',
    lanes: 2,
    strike: async (target, number) => {
      const sources = Array.from({ length: 100 }, (_, at) => ({ url: `http://192.0.2.1/${number}-${at}.wav` }))
      const body = JSON.stringify({ sources })
      return String((await hostileRequest(target, { method: 'POST', path: '/transcribe/batch', body })).status)
    },
  },
]
