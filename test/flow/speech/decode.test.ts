import { readFileSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import testAnyOrder from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import type { AudioDecoder, DecoderLimits } from '../../../infra/speech/audio/decode.ts'
import type { Decoding } from '../../../infra/speech/audio/decoding.ts'
import { encodeG711 } from '../../../infra/speech/audio/signal/g711.ts'
import { childProcesses } from '../../support/child-processes.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { descendantsOf } from '../../support/process-tree.ts'
import { aRiff, aWavFormat } from '../../support/media.ts'
import { amplitudeAt, aRandom, aTone, inDecibels, joinedSamples, loudness } from '../../support/samples.ts'

const test = testAnyOrder.serial // each looks at the processes that there are
const media = fileURLToPath(new URL('../../../../test/fixtures/media/', import.meta.url))

const encoded: readonly (readonly [name: string, seconds: number])[] = [
  ['cbr.mp3', 1.08],
  ['vbr.mp3', 1],
  ['speech.m4a', 1],
  ['faststart.m4a', 1],
  ['fragmented.m4a', 1.09],
  ['speech.aac', 1.09],
  ['talking.mp4', 1],
  ['talking.mov', 1],
  ['opus.ogg', 1],
  ['vorbis.ogg', 1],
  ['speex.ogg', 1],
  ['flac.ogg', 0.5],
  ['speech.webm', 1],
  ['live.webm', 1],
  ['talking.webm', 1],
  ['speech.mka', 1],
  ['speech.flac', 0.5],
  ['speech.amr', 1],
  ['speech.3gp', 1],
  ['speech.wma', 1],
  ['speech.au', 0.5],
  ['speech.aifc', 0.5],
  ['speech.caf', 1.02],
]

test('what people send becomes the same words at 16 kHz, whatever encoded it', async (t) => {
  const decoder = aDecoder(t)
  const reference = envelope(await mono(decoder, join(media, 'opus.ogg')))
  for (const [name, seconds] of encoded) {
    const samples = await mono(decoder, join(media, name))
    t.true(Math.abs(samples.length / 16_000 - seconds) < 0.04, `${name}: ${samples.length / 16_000} s`)
    t.true(likeness(envelope(samples), reference) > 0.9, `${name}: ${likeness(envelope(samples), reference)}`)
  }
})

test('telephone WAV files of both laws are understood', async (t) => {
  const decoder = aDecoder(t)
  const folder = await aFolder(t)
  const tone = aTone({ hz: 400, seconds: 1, rate: 8_000 })
  for (const [law, tag] of [
    ['a-law', 6],
    ['mu-law', 7],
  ] as const) {
    const path = join(folder, `${law}.wav`)
    await writeFile(path, aRiff([aWavFormat({ tag, hz: 8_000, bits: 8 }), ['data', encodeG711(tone, law)]]))
    const gain = inDecibels(amplitudeAt(await mono(decoder, path), 16_000, 400) / 0.5)
    t.true(Math.abs(gain) < 0.1, `${law}: ${gain} dB`)
  }
})

test('channels are mixed, or kept apart', async (t) => {
  const decoder = aDecoder(t)
  const path = join(await aFolder(t), 'call.wav')
  const caller = aTone({ hz: 300, seconds: 1 })
  const callee = aTone({ hz: 700, seconds: 1, level: 0.25 })
  await writeFile(path, aFloatWav([caller, callee]))
  const apart = await everything(await decoder.decode(path, { channels: 'separate' }))
  t.is(apart.length, 2)
  t.true(largestDifference(apart[0]!, caller) < 1e-6)
  t.true(largestDifference(apart[1]!, callee) < 1e-6)
  const mixed = await mono(decoder, path)
  t.true(
    largestDifference(
      mixed,
      caller.map((sample, index) => (sample + callee[index]!) / 2),
    ) < 1e-6,
  )
})

test('more than eight channels are mixed and not kept apart', async (t) => {
  const decoder = aDecoder(t)
  const path = join(await aFolder(t), 'studio.wav')
  await writeFile(path, aFloatWav(Array.from({ length: 9 }, () => aTone({ hz: 300, seconds: 1 }))))
  t.is((await mono(decoder, path)).length, 16_000)
  await refusedWith(t, () => decoder.decode(path, { channels: 'separate' }), {
    code: 'unsupported_media',
    reason: /The audio has 9 channels; 8 is the limit for keeping them apart\. Have them mixed\./,
  })
})

test('from 48 kHz the voice band is flat within 0.05 dB and what lies above 8 kHz is 80 dB down', async (t) => {
  const decoder = aDecoder(t)
  const folder = await aFolder(t)
  for (const hz of [200, 1_000, 4_000, 7_000]) {
    const path = join(folder, 'in.wav')
    await writeFile(path, aFloatWav([aTone({ hz, seconds: 1, rate: 48_000 })], 48_000))
    const gain = inDecibels(amplitudeAt(await mono(decoder, path), 16_000, hz) / 0.5)
    t.true(Math.abs(gain) < 0.05, `${hz} Hz: ${gain} dB`)
  }
  for (const hz of [8_200, 9_000, 12_000, 15_000]) {
    const path = join(folder, 'above.wav')
    await writeFile(path, aFloatWav([aTone({ hz, seconds: 1, rate: 48_000 })], 48_000))
    const residue = inDecibels(amplitudeAt(await mono(decoder, path), 16_000, 16_000 - hz) / 0.5)
    t.true(residue < -80, `${hz} Hz: ${residue} dB`)
  }
})

test('samples that are no numbers become silence', async (t) => {
  const decoder = aDecoder(t)
  const path = join(await aFolder(t), 'odd.wav')
  await writeFile(
    path,
    aFloatWav([Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, -1e30, 0.5, ...new Float32Array(9_000))]),
  )
  const samples = await mono(decoder, path)
  t.true(samples.every((sample) => Math.abs(sample) <= 8))
  t.is(samples[0], 0)
})

test('a file that breaks off yields what there is, with a warning', async (t) => {
  const decoder = aDecoder(t)
  const folder = await aFolder(t)
  for (const name of ['vbr.mp3', 'faststart.m4a', 'speech.webm']) {
    const whole = await readFile(join(media, name))
    const path = join(folder, name)
    await writeFile(path, whole.subarray(0, whole.length * 0.45))
    const decoding = await decoder.decode(path, { channels: 'mix' })
    const [samples] = await everything(decoding)
    const message = decoding.warnings.find(({ code }) => code === 'truncated')?.message
    t.regex(message ?? '', /incomplete: its header promises 1 s/, name)
    t.true(loudness(samples!) > 0.01)
  }
  const path = join(folder, 'cut.wav')
  await writeFile(path, aFloatWav([aTone({ hz: 300, seconds: 2 })]).subarray(0, 64_044))
  const decoding = await decoder.decode(path, { channels: 'mix' })
  t.is((await everything(decoding))[0]!.length, 16_000)
  t.like(decoding.warnings, [
    { code: 'truncated', message: 'The file is incomplete: its header promises 64000 bytes more than there are.' },
  ])
})

test('what is not audio, or has none, is refused for good with a sentence', async (t) => {
  const decoder = aDecoder(t)
  const folder = await aFolder(t)
  const refused: readonly (readonly [name: string, content: Uint8Array, reason: RegExp])[] = [
    ['empty.wav', new Uint8Array(0), /not audio/],
    ['letter.mp3', Buffer.from('Dear Sir or Madam,\n'.repeat(500)), /not audio/],
    ['header-only.wav', aFloatWav([new Float32Array(0)]), /No audio could be decoded/],
    ['broken.m4a', (await readFile(join(media, 'speech.m4a'))).subarray(0, 2_000), /starts like an MP4 file/],
    ['film.mp4', await readFile(join(media, 'silent.mp4')), /no audio track/],
    ['noise.ogg', Buffer.concat([Buffer.from('OggS\0'), aScramble(5_000, 1)]), /starts like an Ogg file/],
  ]
  for (const [name, content, reason] of refused) {
    await writeFile(join(folder, name), content)
    await refusedWith(t, () => mono(decoder, join(folder, name)), { code: 'unsupported_media', reason })
  }
})

test('a playlist is never followed to other files, whatever it is called', async (t) => {
  const decoder = aDecoder(t)
  const folder = await aFolder(t)
  await copyFile(join(media, 'speech.aac'), join(folder, 'secret.aac'))
  const playlists = {
    'list.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${join(folder, 'secret.aac')}\n#EXT-X-ENDLIST\n`,
    'list.mp3': `ffconcat version 1.0\nfile ${join(folder, 'secret.aac')}\n`,
    'list.wav': `[playlist]\nFile1=${join(folder, 'secret.aac')}\n`,
  }
  for (const [name, text] of Object.entries(playlists)) {
    await writeFile(join(folder, name), text)
    await refusedWith(t, () => mono(decoder, join(folder, name)), { code: 'unsupported_media', reason: /not audio/ })
  }
})

test('a path that looks like a protocol is only ever a path', async (t) => {
  const decoder = aDecoder(t)
  const path = join(await aFolder(t), 'concat:a|b.flac')
  await copyFile(join(media, 'speech.flac'), path)
  t.is((await mono(decoder, path)).length, 8_000)
})

test('a file that cannot be read is worth another try', async (t) => {
  const decoder = aDecoder(t)
  await refusedWith(t, () => mono(decoder, join(media, 'missing.wav')), {
    code: 'worker_failed',
    reason: /local disk/,
  })
})

test('audio beyond the limit is refused, by its header or by its samples', async (t) => {
  const decoder = aDecoder(t, { decodedSeconds: 0.7 })
  await refusedWith(t, () => mono(decoder, join(media, 'speech.m4a')), { code: 'too_large', reason: /limit of 0.7 s/ })
  await refusedWith(t, () => mono(decoder, join(media, 'opus.ogg')), { code: 'too_large', reason: /limit of 0.7 s/ })
})

test('a crash of the decoder is the end of the file only', async (t) => {
  const decoder = aDecoder(t)
  await refusedWith(t, () => interrupted(decoder, t, 'SIGSEGV'), {
    code: 'unsupported_media',
    reason: /broke the decoder/,
  })
  t.is((await mono(decoder, join(media, 'opus.ogg'))).length, 16_000)
})

test('a decoder that is killed from outside is not held against the file', async (t) => {
  await refusedWith(t, () => interrupted(aDecoder(t), t, 'SIGKILL'), { code: 'overloaded', reason: /from outside/ })
})

test('a decoder that gets stuck is ended', async (t) => {
  const decoder = aDecoder(t, { stallMs: 1_000 })
  await refusedWith(t, () => interrupted(decoder, t, 'SIGSTOP'), { code: 'unsupported_media', reason: /stuck for 1 s/ })
  await noProcesses()
})

test('a decoder that cannot start is not held against the file', async (t) => {
  const decoder = aDecoder(t, { startMs: 1_000, memoryBytes: 20 * 1024 * 1024 })
  const failure = { code: 'overloaded', reason: /could not be started/ } as const
  await refusedWith(t, () => mono(decoder, join(media, 'opus.ogg')), failure)
})

test('a reader that takes its time is not a stuck decoder, and holds the decoder back', async (t) => {
  const decoder = aDecoder(t, { stallMs: 4_000 })
  const path = join(await aFolder(t), 'long.wav')
  await writeFile(path, aFloatWav([aTone({ hz: 300, seconds: 300 })]))
  const decoding = await decoder.decode(path, { channels: 'mix' })
  const blocks = decoding[Symbol.asyncIterator]()
  await blocks.next()
  const pid = decodingPid()
  const asleep = (): boolean => /State:\s+S/.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const before = performance.now()
  await eventually('the reader outwaits the limit on steps', () => performance.now() - before > 4_500 && asleep())
  let samples = 8_000
  for (let step = await blocks.next(); !step.done; step = await blocks.next()) samples += step.value[0]!.length
  t.is(samples, 300 * 16_000)
})

test('an aborted decoding ends its process and throws the reason', async (t) => {
  const decoder = aDecoder(t)
  const controller = new AbortController()
  const path = await aLongFile(t)
  const decoding = await decoder.decode(path, { channels: 'mix', signal: controller.signal })
  const reason = new Error('the user left')
  await t.throwsAsync(
    async () => {
      for await (const block of decoding) if (block.length > 0) controller.abort(reason)
    },
    { is: reason },
  )
  await noProcesses()
  await t.throwsAsync(decoder.decode(path, { channels: 'mix', signal: controller.signal }), { is: reason })
})

test('a decoding is read once', async (t) => {
  const decoding = await aDecoder(t).decode(join(media, 'opus.ogg'), { channels: 'mix' })
  t.is((await everything(decoding))[0]!.length, 16_000)
  await t.throwsAsync(everything(decoding), { message: /once/ })
})

test('leaving the loop early ends the process', async (t) => {
  const decoder = aDecoder(t)
  for await (const block of await decoder.decode(await aLongFile(t), { channels: 'mix' })) {
    t.is(block[0]!.length, 8_000)
    break
  }
  await noProcesses()
})

test('a process that had no trouble decodes the next file, and ends when nobody needs it', async (t) => {
  const decoder = aDecoder(t, { idleMs: 500, filesPerProcess: 2 })
  await mono(decoder, join(media, 'opus.ogg'))
  const first = childProcesses()
  t.is(first.length, 1)
  await mono(decoder, join(media, 'speech.flac'))
  await noProcesses() // it was good for two files
  await mono(decoder, join(media, 'opus.ogg'))
  t.notDeepEqual(childProcesses(), first)
  await noProcesses()
})

test('a process that is ended because it waited long enough is given no other file', async (t) => {
  const decoder = aDecoder(t, { idleMs: 1 })
  for (let file = 0; file < 5; file += 1) t.true((await mono(decoder, join(media, 'opus.ogg'))).length > 0)
})

test('after any trouble the next file gets a new process', async (t) => {
  const decoder = aDecoder(t)
  const path = join(await aFolder(t), 'half.webm')
  await writeFile(path, (await readFile(join(media, 'speech.webm'))).subarray(0, 1_400))
  t.true((await mono(decoder, path)).length > 0)
  await noProcesses()
})

test('more files at once than allowed are asked to come back', async (t) => {
  const decoder = aDecoder(t, { processes: 1 })
  const path = await aLongFile(t)
  await decoder.decode(path, { channels: 'mix' })
  await refusedWith(t, () => decoder.decode(path, { channels: 'mix' }), { code: 'overloaded', reason: /is the limit/ })
})

test('the kernel keeps the decoder within its memory, and it knows no secrets', async (t) => {
  const decoder = aDecoder(t, { memoryBytes: 300 * 1024 * 1024 })
  await decoder.decode(await aLongFile(t), { channels: 'mix' })
  const pid = decodingPid()
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
  t.regex(limits, new RegExp(`Max data size\\s+${300 * 1024 * 1024}\\s+${300 * 1024 * 1024}`))
  t.regex(limits, /Max cpu time\s+\d+/)
  t.regex(limits, /Max file size\s+0\s+0/)
  t.is(
    readFileSync(`/proc/${pid}/environ`, 'utf8').replaceAll(/(?:PWD|_|SHLVL|OLDPWD|UV_THREADPOOL_SIZE)=[^\0]*\0/g, ''),
    '',
  )
})

test('a hundred damaged files are each decoded or refused, and none ends the process that asked', async (t) => {
  const decoder = aDecoder(t)
  const path = join(await aFolder(t), 'damaged')
  for (let seed = 1; seed <= 100; seed += 1) {
    const [name] = encoded[seed % encoded.length]!
    await writeFile(path, damaged(await readFile(join(media, name)), seed))
    try {
      const samples = await mono(decoder, path)
      t.true(samples.every(Number.isFinite), `${name}, seed ${seed}`)
    } catch (error) {
      t.true(
        error instanceof FailureError && error.failure.kind === 'terminal',
        `${name}, seed ${seed}: ${String(error)}`,
      )
    }
  }
})

function aDecoder(t: ExecutionContext, limits: Partial<DecoderLimits> = {}): AudioDecoder {
  const decoder = createDecoder(limits)
  t.teardown(() => decoder.close())
  return decoder
}

async function mono(decoder: AudioDecoder, path: string): Promise<Float32Array> {
  return (await everything(await decoder.decode(path, { channels: 'mix' })))[0]!
}

async function everything(decoding: Decoding): Promise<Float32Array[]> {
  const parts: Float32Array[][] = Array.from({ length: decoding.channels }, () => [])
  for await (const block of decoding) block.forEach((samples, channel) => parts[channel]!.push(samples))
  return parts.map(joinedSamples)
}

async function interrupted(decoder: AudioDecoder, t: ExecutionContext, signal: NodeJS.Signals): Promise<void> {
  const decoding = await decoder.decode(await aLongFile(t), { channels: 'mix' })
  let sent = false
  for await (const block of decoding) {
    if (sent || block.length === 0) continue
    // a sandbox has processes around the one that decodes; from inside, since they end with what they are around
    for (const { pid } of descendantsOf(process.pid).reverse()) process.kill(pid, signal)
    sent = true
  }
}

async function aLongFile(t: ExecutionContext): Promise<string> {
  const path = join(await aFolder(t), 'long.wav')
  await writeFile(path, aFloatWav([aTone({ hz: 300, seconds: 120 })]))
  return path
}

/** The innermost: around it are those of its sandbox. */
function decodingPid(): number {
  return descendantsOf(process.pid).at(-1)!.pid
}

async function noProcesses(): Promise<void> {
  await eventually('no child process is left', () => childProcesses().length === 0)
}

interface Refusal {
  readonly code: FailureError['failure']['code']
  readonly reason: RegExp
}

async function refusedWith(t: ExecutionContext, act: () => Promise<unknown>, { code, reason }: Refusal): Promise<void> {
  const error = await t.throwsAsync(act, { instanceOf: FailureError })
  t.is(error?.failure.code, code)
  t.regex(error?.message ?? '', reason)
}

function aFloatWav(channels: readonly Float32Array[], hz = 16_000): Buffer {
  const frames = channels[0]!.length
  const data = Buffer.alloc(frames * channels.length * 4)
  channels.forEach((samples, channel) =>
    samples.forEach((sample, frame) => data.writeFloatLE(sample, (frame * channels.length + channel) * 4)),
  )
  return aRiff([aWavFormat({ tag: 3, hz, channels: channels.length, bits: 32 }), ['data', data]])
}

function aScramble(length: number, seed: number): Buffer {
  const random = aRandom(seed)
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
}

function damaged(file: Buffer, seed: number): Buffer {
  const random = aRandom(seed)
  const region = random() < 0.6 ? Math.min(file.length, 600) : file.length
  for (let hits = 1 + Math.floor(random() * 30); hits > 0; hits -= 1)
    file[Math.floor(random() * region)] = Math.floor(random() * 256)
  return random() < 0.3 ? file.subarray(0, Math.floor(random() * file.length)) : file
}

const envelopeStep = 320

function envelope(samples: Float32Array): number[] {
  const steps = Math.floor(Math.min(samples.length, 8_000) / envelopeStep)
  return Array.from({ length: steps }, (_, index) =>
    loudness(samples.subarray(index * envelopeStep, (index + 1) * envelopeStep)),
  )
}

/** The correlation of two envelopes, at the best of a few shifts: codecs delay. */
function likeness(first: readonly number[], second: readonly number[]): number {
  return Math.max(
    ...[-4, -3, -2, -1, 0, 1, 2].map((shift) =>
      correlation(first.slice(Math.max(0, -shift)), second.slice(Math.max(0, shift))),
    ),
  )
}

function correlation(first: readonly number[], second: readonly number[]): number {
  const length = Math.min(first.length, second.length)
  const mean = (values: readonly number[]): number =>
    values.slice(0, length).reduce((sum, value) => sum + value, 0) / length
  const [meanFirst, meanSecond] = [mean(first), mean(second)]
  let product = 0
  let squareFirst = 0
  let squareSecond = 0
  for (let index = 0; index < length; index += 1) {
    product += (first[index]! - meanFirst) * (second[index]! - meanSecond)
    squareFirst += (first[index]! - meanFirst) ** 2
    squareSecond += (second[index]! - meanSecond) ** 2
  }
  return product / Math.sqrt(squareFirst * squareSecond)
}

function largestDifference(first: Float32Array, second: Float32Array): number {
  return first.reduce(
    (largest, sample, index) => Math.max(largest, Math.abs(sample - second[index]!)),
    first.length === second.length ? 0 : 1,
  )
}
