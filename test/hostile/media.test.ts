import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import testAnyOrder from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../actors/failure.ts'
import type { Failure } from '../../actors/failure.ts'
import { createDecoder } from '../../infra/speech/audio/decode.ts'
import type { AudioDecoder } from '../../infra/speech/audio/decode.ts'
import { mediaFailureText } from '../fuzz/media-report.ts'
import { fuzzMedia } from '../fuzz/media.ts'
import { mediaSamples } from '../fuzz/media-samples.ts'
import { someBytes } from '../fuzz/odd-values.ts'
import { createRandom } from '../sim/random.ts'
import { childProcesses } from '../support/child-processes.ts'
import { aFolder } from '../support/folder.ts'
import { aBox, aMoov, anFtyp, aTrack } from '../support/media-containers.ts'
import { aRiff, aWav, aWavFormat, repeated } from '../support/media.ts'

const test = testAnyOrder.serial // some look at the processes that there are

test('100 mutated recordings of every container are each heard or refused, and garbage is refused', async (t) => {
  const run = { seed: 1, from: 0, files: 100 }
  const { failures, longestMs, memoryMb } = await fuzzMedia(run)
  for (const failure of failures) t.log(mediaFailureText(run, failure))
  t.is(failures.length, 0)
  t.true(longestMs < 10_000)
  t.true(memoryMb[1] - memoryMb[0] < 100, `${memoryMb.join(' MB, then ')} MB`)
})

test('0.018 s that a decoder makes of noise in a WebM are not taken for a recording', async (t) => {
  const { failures } = await fuzzMedia({ seed: 699_214, from: 15, files: 1 })
  t.deepEqual(failures, [])
})

function aDecoder(t: ExecutionContext): AudioDecoder {
  const decoder = createDecoder()
  t.teardown(() => decoder.close())
  return decoder
}

async function secondsIn(t: ExecutionContext, decoder: AudioDecoder, content: Uint8Array): Promise<number> {
  const path = join(await aFolder(t), 'recording')
  await writeFile(path, content)
  const decoding = await decoder.decode(path, { channels: 'mix' })
  let samples = 0
  for await (const [block] of decoding) samples += block?.length ?? 0
  return samples / decoding.sampleRate
}

async function refusalOf(t: ExecutionContext, content: Uint8Array): Promise<Failure | undefined> {
  const error = await t.throwsAsync(() => secondsIn(t, aDecoder(t), content), { instanceOf: FailureError })
  t.is(error?.failure.kind, 'terminal')
  return error?.failure
}

async function sampleOf(name: string): Promise<{ bytes: Buffer; audioAt: number }> {
  const found = (await mediaSamples()).find((sample) => sample.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

for (const name of ['speech.flac', 'speech.amr', 'speech.webm', 'opus.ogg', 'faststart.m4a', 'vbr.mp3', 'speech.wma'])
  test(`${name} with noise for its sound is refused for good`, async (t) => {
    const { bytes, audioAt } = await sampleOf(name)
    const noise = someBytes(createRandom(1, name), bytes.length - audioAt)
    const refusal = await refusalOf(t, Buffer.concat([bytes.subarray(0, audioAt), noise]))
    t.is(refusal?.code, 'unsupported_media')
  })

test('a recording of less than a tenth of a second is refused with the limit', async (t) => {
  const refusal = await refusalOf(t, aWav({ seconds: 0.09 }))
  t.is(refusal?.code, 'unsupported_media')
  t.regex(JSON.stringify(refusal), /less than 0\.1 s/)
  t.is(await secondsIn(t, aDecoder(t), aWav({ seconds: 0.1 })), 0.1)
})

test('a crash in a process that had other files before is not held against the file', async (t) => {
  const decoder = aDecoder(t)
  await secondsIn(t, decoder, aWav({ seconds: 0.2 }))
  const path = join(await aFolder(t), 'long.wav')
  await writeFile(path, aWav({ seconds: 60 }))
  const decoding = await decoder.decode(path, { channels: 'mix' })
  const read = async (): Promise<void> => {
    let told = false
    for await (const block of decoding) {
      if (told || block.length === 0) continue
      told = true
      for (const pid of childProcesses()) process.kill(pid, 'SIGSEGV')
    }
  }
  const error = await t.throwsAsync(read, { instanceOf: FailureError })
  t.is(error?.failure.kind, 'retryable')
})

test('a telephone recording whose silences are only marked is heard', async (t) => {
  const { bytes } = await sampleOf('speech.amr')
  const silence = repeated(60, Buffer.of(0x44, 0, 0, 0, 0, 0)) // as many frames as there are of audio
  t.true((await secondsIn(t, aDecoder(t), Buffer.concat([bytes, silence]))) >= 1)
})

const format = (input: { hz: number; channels: number }) => aWavFormat({ ...input, bits: 16 })

for (const [what, content, code] of [
  ['64 channels', aRiff([format({ hz: 16_000, channels: 64 }), ['data', Buffer.alloc(64_000)]]), 'unsupported_media'],
  ['a billion samples a second', aRiff([format({ hz: 1e9, channels: 1 }), ['data', Buffer.alloc(64_000)]]), undefined],
  [
    'a hundred thousand empty boxes',
    Buffer.concat([anFtyp('isom'), repeated(100_000, aBox('free'))]),
    'unsupported_media',
  ],
  ['ten thousand tracks', Buffer.concat([anFtyp('isom'), aMoov(1_000, repeated(10_000, aTrack({ kind: 'soun' })))]), undefined], // prettier-ignore
] as const)
  test(`a file with ${what} is refused for good, and soon`, async (t) => {
    const beganMs = performance.now()
    const refusal = await refusalOf(t, content)
    t.regex(refusal?.code ?? '', code === undefined ? /^(?:unsupported_media|too_large)$/ : new RegExp(`^${code}$`))
    t.true(performance.now() - beganMs < 30_000)
  })

test('a WAV whose header says 4 GB costs no more than the bytes that are there', async (t) => {
  const lying = aRiff([aWavFormat(), ['data', Buffer.alloc(16_000), 0xfffffff0]])
  const decoder = aDecoder(t)
  t.is(await secondsIn(t, decoder, lying), 0.5)
})

test('silence that is packed as tightly as can be is refused at the limit of length, not of memory', async (t) => {
  const decoder = createDecoder({ decodedSeconds: 60 })
  t.teardown(() => decoder.close())
  const frame = Buffer.alloc(72) // of 72 ms: a thousand bytes a second, so that 2 GiB would be a month
  frame.set([0xff, 0xe3, 0x18, 0xc4])
  const path = join(await aFolder(t), 'bomb.mp3')
  await writeFile(path, repeated(50_000, frame))
  const read = async (): Promise<void> => {
    for await (const block of await decoder.decode(path, { channels: 'mix' })) if (block.length === 0) return
  }
  const error = await t.throwsAsync(read, { instanceOf: FailureError })
  t.is(error?.failure.code, 'too_large')
})
