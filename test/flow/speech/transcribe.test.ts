import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import { z } from 'zod'

import { isRunning } from '../../../infra/process/process-identity.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { englishFixture, englishPath as english } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { descendantsOf } from '../../support/process-tree.ts'
import { runVaak, startVaak } from '../../support/processes.ts'
import { speechFixtures, speechFolder } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'
import { writeWav } from '../../support/wav-file.ts'

const hindi = join(speechFolder(), 'market.ogg')
const devanagari = /\p{Script=Devanagari}/u

test.serial(
  'Hindi and English recordings come out as text that one recognises, with times and languages',
  async (t) => {
    const fixtures = await speechFixtures()
    const said = await englishFixture()
    const paths = [...fixtures.map(({ name }) => join(speechFolder(), name)), english]
    const { code, stdout } = await transcribe(t, ['--format', 'ndjson', ...paths])
    t.is(code, 0)
    const results = stdout.trimEnd().split('\n').map(parse)
    t.deepEqual(
      results.map(({ filename }) => filename),
      paths.map((path) => basename(path)),
    )
    const inHindi = errorRates(fixtures.map(({ text }, index) => ({ said: text, heard: results[index]!.text })))
    const inEnglish = errorRates([{ said: said.text, heard: results.at(-1)!.text }])
    t.log(`Hindi CER ${inHindi.characterErrorRate.toFixed(3)}, English WER ${inEnglish.wordErrorRate.toFixed(3)}`)
    t.true(inHindi.characterErrorRate < 0.35)
    t.true(inEnglish.wordErrorRate < 0.2)
    t.deepEqual(
      results.map(({ language }) => language),
      ['hi', 'hi', 'hi', 'en'],
    )
    for (const result of results) {
      t.deepEqual(result.languages[0]?.code, result.language)
      t.not(result.model, '')
      wordsAreInOrder(t, result)
    }
  },
)

test.serial('a reader that has seen enough ends it without a word, whatever the models are at', async (t) => {
  const files = [hindi, english, hindi, english, hindi, english]
  const run = startVaak(t, ['transcribe', '--profile', 'fast', '--at-once', '2', ...files])
  await eventually('there is a first result', () => run.stdout !== '')
  run.closeOutput()
  t.deepEqual(await run.ended, { code: null, signal: 'SIGTERM' })
  t.false(/terminate called|Error/.test(run.stderr), run.stderr)
})

test.serial('whoever transcribes tells nobody about it, and leaves nothing on the machine', async (t) => {
  const folder = await aFolder(t)
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')]
  await Promise.all([home, temporary].map((path) => mkdir(path)))
  const places = { HOME: home, XDG_CACHE_HOME: '', TMPDIR: temporary, VAAK_CACHE: cacheFolderForTests() }
  const { code, stderr } = await runVaak(t, ['transcribe', '--language', 'hi', hindi], places)
  t.is(code, 0, stderr)
  t.deepEqual(await readdir(folder, { recursive: true }), ['home', 'tmp'])
})

test.serial(
  'files that are no recordings are each told apart in a sentence, and the others are transcribed',
  async (t) => {
    const folder = await aFolder(t)
    const text = join(folder, 'text.wav')
    const empty = join(folder, 'empty.wav')
    const missing = join(folder, 'missing.wav')
    const broken = join(folder, 'broken.m4a')
    await writeFile(text, 'This is a letter, not a recording.\n'.repeat(100))
    await writeFile(empty, '')
    await writeFile(broken, Buffer.concat([Buffer.from('\0\0\0\x20ftypM4A ', 'latin1'), Buffer.alloc(5000, 0xff)]))
    const { code, stdout, stderr } = await transcribe(t, [
      '--language',
      'en',
      text,
      empty,
      missing,
      broken,
      folder,
      english,
    ])
    t.is(code, 1)
    t.regex(stderr, sentence(text, 'The file is not audio that can be decoded: send WAV, .*\\.'))
    t.regex(stderr, sentence(empty, 'The file is empty\\.'))
    t.regex(stderr, sentence(missing, 'There is no such file\\.'))
    t.regex(stderr, sentence(broken, '[A-Z].*\\.'))
    t.regex(stderr, sentence(folder, 'This is a folder\\. Name the files in it\\.'))
    t.notRegex(stderr, /\n +at /, 'no stack')
    const [title, ...lines] = stdout.trimEnd().split('\n')
    t.is(title, `==> ${english} <==`)
    t.regex(lines.join(' '), /clock/)
  },
)

test.serial('files together or one after the other come out the same, in the order that was given', async (t) => {
  const paths = [english, ...(await speechFixtures()).map(({ name }) => join(speechFolder(), name))]
  const words = ['--format', 'ndjson', '--speech-information', ...paths]
  const together = await transcribe(t, ['--at-once', '4', ...words])
  const oneByOne = await transcribe(t, ['--at-once', '1', ...words])
  t.is(together.stdout, oneByOne.stdout)
  t.deepEqual(
    together.stdout
      .trimEnd()
      .split('\n')
      .map(parse)
      .map(({ filename }) => filename),
    paths.map((path) => basename(path)),
  )
})

test.serial('a recording that is cut short gives what there is, and a warning', async (t) => {
  const cut = join(await aFolder(t), 'cut.wav')
  await writeWav(cut, await hindiSamples())
  await writeFile(cut, (await readFile(cut)).subarray(0, 60_000))
  const { code, stdout, stderr } = await transcribe(t, ['--format', 'json', cut])
  t.is(code, 0)
  const { text, warnings, duration_seconds: seconds } = parse(stdout)
  t.regex(text, /कल/)
  t.true(Math.abs(seconds - 1.87) < 0.02)
  t.is(warnings.length, 1)
  t.regex(warnings[0]!, /^The file is incomplete: .*\.$/)
  t.true(stderr.includes(`${cut}: ${warnings[0]}\n`))
})

test.serial('a recording without speech gives no text, and says so', async (t) => {
  const quiet = await writeWav(join(await aFolder(t), 'quiet.wav'), new Float32Array(32_000))
  const { code, stdout, stderr } = await transcribe(t, [quiet])
  t.is(code, 0)
  t.is(stdout, '')
  t.true(stderr.endsWith(`${quiet}: There is no speech in it.\n`))
})

test.serial('a recording from far away is heard from its first word to its last', async (t) => {
  const folder = await aFolder(t)
  const fixtures = await speechFixtures()
  const paths = await Promise.all(
    fixtures.map(({ name, samples }) =>
      writeWav(
        join(folder, `${name}.wav`),
        samples.map((sample) => sample * 0.004),
      ),
    ),
  )
  const { stdout } = await transcribe(t, ['--format', 'ndjson', ...paths])
  const results = stdout.trimEnd().split('\n').map(parse)
  const { characterErrorRate } = errorRates(
    fixtures.map(({ text }, index) => ({ said: text, heard: results[index]!.text })),
  )
  t.true(characterErrorRate < 0.1, `${characterErrorRate}: the first words of sentences alone are more`)
})

test.serial('standard output is in the format that was asked for, and free of progress', async (t) => {
  const words = ['--language', 'hi', '--script', 'latin']
  const outputs: Record<string, string> = {}
  for (const format of ['text', 'json', 'ndjson', 'srt', 'vtt']) {
    const { code, stdout, stderr } = await transcribe(t, [...words, '--format', format, hindi])
    t.is(code, 0)
    // a busy machine may take long enough to say how far it is
    t.regex(stderr, /^market\.ogg …\n(?:market\.ogg: \d+ %\n)*market\.ogg: done\n$/)
    t.notRegex(stdout, devanagari, 'Latin letters were asked for')
    outputs[format] = stdout
  }
  const { text } = parse(outputs['json']!)
  t.is(outputs['text'], `${text}\n`)
  t.deepEqual(parse(outputs['ndjson']!), parse(outputs['json']!))
  t.is(outputs['ndjson']!.trimEnd().split('\n').length, 1)
  const time = String.raw`00:00:0\d[,.]\d{3}`
  t.regex(outputs['srt']!, new RegExp(`^1\n${time} --> ${time}\n[a-z ,.?]+\n`))
  t.regex(outputs['vtt']!, new RegExp(`^WEBVTT\n\n${time} --> ${time}\n[a-z ,.?]+\n`))
})

test.serial('the two sides of a call are kept apart, each in its language, with what the voices say', async (t) => {
  const [left, right] = [await hindiSamples(), (await englishFixture()).samples]
  const length = Math.max(left.length, right.length)
  const padded = joinedSamples([left, new Float32Array(length - left.length)])
  const call = await writeWav(join(await aFolder(t), 'call.wav'), padded, right)
  const { code, stdout } = await transcribe(t, [
    '--channels',
    'separate',
    '--speech-information',
    '--format',
    'json',
    call,
  ])
  t.is(code, 0)
  const result = parse(stdout)
  for (const side of [0, 1]) t.true(result.segments.some(({ channel }) => channel === side))
  for (const { channel, language, speech_information: information } of result.segments) {
    t.is(language, channel === 0 ? 'hi' : 'en')
    t.is(information?.speaker_id, `channel_${channel}`)
    t.true((information?.pitch_hz ?? 100) > 50)
  }
  t.deepEqual(result.languages.map(({ code: language }) => language).sort(), ['en', 'hi'])
})

test('speech information and channels are left out where nobody asked for them', async (t) => {
  const { stdout } = await transcribe(t, ['--language', 'en', '--format', 'json', english])
  t.true(parse(stdout).segments.every((segment) => !('speech_information' in segment) && !('channel' in segment)))
})

test('wrong words are refused with the words that are allowed, before any file is touched', async (t) => {
  for (const [option, allowed] of [
    ['format', 'text, json, ndjson, srt, vtt'],
    ['language', 'auto, hi, en, ta, te, bn, mr, gu, kn, ml, pa, ur'],
    ['profile', 'fast, balanced, accurate'],
    ['script', 'native, latin, mixed'],
    ['channels', 'mix, separate, auto'],
  ]) {
    const { code, stdout, stderr } = await runVaak(t, ['transcribe', `--${option}`, 'dance', 'missing.wav'])
    t.deepEqual([code, stdout, stderr], [2, '', `--${option} takes ${allowed}, not "dance".\n`])
  }
  for (const given of ['0', '65', '1.5', 'many', '']) {
    const { code, stderr } = await runVaak(t, ['transcribe', `--at-once=${given}`, 'missing.wav'])
    t.deepEqual([code, stderr], [2, `--at-once takes a whole number from 1 to 64, not "${given}".\n`])
  }
  const nothing = await runVaak(t, ['transcribe'])
  t.deepEqual([nothing.code, nothing.stderr], [2, 'Which files? Try: vaak transcribe FILE…\n'])
  const lost = await runVaak(t, ['transcribe', '--speech-information', 'a.wav'])
  t.is(lost.code, 2)
  t.is(lost.stderr, '--speech-information is part of json and ndjson, not of text: add --format json.\n')
  const two = await runVaak(t, ['transcribe', '--format', 'srt', 'a.wav', 'b.wav'])
  t.is(two.code, 2)
  t.is(two.stderr, '--format srt makes one file of subtitles: give one recording at a time, not 2.\n')
})

test.serial('a signal ends the command before it is done, and nothing that it started stays behind', async (t) => {
  const clip = await hindiSamples()
  const long = joinedSamples(Array.from({ length: 60 }, () => clip))
  const path = await writeWav(join(await aFolder(t), 'long.wav'), long)
  const run = startVaak(t, ['transcribe', '--profile', 'fast', '--language', 'hi', path])
  const below = await eventually('the decoder runs', () => {
    const found = descendantsOf(run.pid)
    return found.length > 0 ? found : undefined
  })
  run.signal('SIGINT')
  t.is((await run.ended).signal, 'SIGINT')
  await eventually('the decoder has ended', () => !below.some(isRunning))
  t.is(run.stdout, '')
})

function transcribe(t: ExecutionContext, words: readonly string[]): ReturnType<typeof runVaak> {
  t.timeout(120_000) // the first run fetches models
  return runVaak(t, ['transcribe', '--profile', 'fast', ...words])
}

async function hindiSamples(): Promise<Float32Array> {
  return (await speechFixtures()).find(({ name }) => name === basename(hindi))!.samples
}

const times = { start: z.number(), end: z.number() }
const resultSchema = z.object({
  filename: z.string(),
  text: z.string(),
  language: z.string(),
  languages: z.array(z.object({ code: z.string(), share: z.number() })),
  duration_seconds: z.number(),
  model: z.string(),
  warnings: z.array(z.string()),
  segments: z.array(
    z.object({
      ...times,
      language: z.string(),
      channel: z.number().optional(),
      words: z.array(z.object({ ...times, word: z.string() })),
      speech_information: z.object({ speaker_id: z.string(), pitch_hz: z.number().nullable() }).optional(),
    }),
  ),
})
type Result = z.infer<typeof resultSchema>

function parse(json: string): Result {
  return resultSchema.parse(JSON.parse(json))
}

function wordsAreInOrder(t: ExecutionContext, { segments, duration_seconds: seconds, filename }: Result): void {
  let at = 0
  for (const { word, start, end } of segments.flatMap(({ words }) => words)) {
    t.true(start >= at && end >= start, `${filename}: ${word}`)
    at = end
  }
  t.true(at > 0 && at <= seconds, filename)
}

function sentence(path: string, words: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.')}: ${words}$`, 'm')
}
