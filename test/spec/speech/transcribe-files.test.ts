import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { terminal } from '../../../actors/failure.ts'
import type { FileResult } from '../../../actors/transcript/state.ts'
import { transcribeFiles } from '../../../infra/cli/transcribe-files.ts'
import type { TranscribeOptions } from '../../../infra/speech/engine/engine.ts'
import type { Progress } from '../../../infra/telemetry/progress.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'

const transcribe: TranscribeOptions = { script: 'native', channels: 'mix', speechInformation: false }

test('results come in the order of the files, each as soon as those before it are out', async (t) => {
  const { paths, screen, engine, run } = await aRun(t, ['a', 'b', 'c'], { atOnce: 3 })
  await eventually('all are on their way', () => engine.begun.length === 3)
  engine.finish('c')
  engine.finish('a')
  await eventually('the first is out', () => screen.results.length === 1)
  engine.finish('b')
  t.is(await run, 0)
  t.deepEqual(
    screen.results,
    paths.map((path, index) => `==> ${path} <==\nthis is ${'abc'[index]}\n`),
  )
})

test('no more files are on their way than is allowed, and the next begins when one ends', async (t) => {
  const { engine, run } = await aRun(t, ['a', 'b', 'c', 'd'], { atOnce: 2 })
  await eventually('two are on their way', () => engine.begun.length === 2)
  engine.finish('b')
  await eventually('the third is on its way', () => engine.begun.length === 3)
  t.deepEqual(engine.begun, ['a', 'b', 'c'])
  for (const name of ['a', 'c']) engine.finish(name)
  await eventually('the fourth is on its way', () => engine.begun.length === 4)
  engine.finish('d')
  t.is(await run, 0)
})

test('a broken file is told at once, counted, and stops no other', async (t) => {
  const { paths, screen, engine, run } = await aRun(t, ['a', 'b', 'c'], { atOnce: 2 })
  await eventually('two are on their way', () => engine.begun.length === 2)
  engine.fail('b', terminal('unsupported_media', 'The file broke the decoder.'))
  await eventually('it is told', () => screen.said.length === 1)
  t.deepEqual(screen.said, [`${paths[1]}: The file broke the decoder.`])
  await eventually('the third is on its way', () => engine.begun.length === 3)
  engine.finish('a')
  engine.finish('c')
  t.is(await run, 1)
  t.is(screen.results.length, 2)
  t.deepEqual(screen.bars, { a: 'done', b: 'failed', c: 'done' })
})

test('a name that is no file is told before any model is waited for', async (t) => {
  const { folder, screen, engine, run } = await aRun(t, ['a'], { atOnce: 2, missing: ['x', 'y'] })
  await eventually('the file is on its way', () => engine.begun.length === 1)
  t.deepEqual(screen.saidWhenOpened, [
    `${join(folder, 'x')}: There is no such file.`,
    `${join(folder, 'y')}: There is no such file.`,
  ])
  engine.finish('a')
  t.is(await run, 2)
})

test('speech that nobody understood is told with its place, and is not called silence', async (t) => {
  const { paths, screen, engine, run } = await aRun(t, ['a', 'b'], { atOnce: 2 })
  await eventually('both are on their way', () => engine.begun.length === 2)
  const silent = { ...aResult(''), segments: [] }
  engine.finish('a', { ...silent, gaps: [{ start: 0.2, end: 64.7, reason: 'other language' }] })
  engine.finish('b', silent)
  t.is(await run, 0)
  t.deepEqual(screen.said, [
    `${paths[0]}: From 0:00 to 1:04 there are no words: other language.`,
    `${paths[1]}: There is no speech in it.`,
  ])
})

test('without a single file no engine is opened', async (t) => {
  const { engine, run } = await aRun(t, [], { atOnce: 2, missing: ['x'] })
  t.is(await run, 1)
  t.is(engine.opened, 0)
})

test('a bug ends the command with its reason: nothing more is begun, and what runs is stopped', async (t) => {
  const { engine, run } = await aRun(t, ['a', 'b', 'c'], { atOnce: 2 })
  await eventually('two are on their way', () => engine.begun.length === 2)
  engine.fail('a', new Error('a bug'))
  await t.throwsAsync(run, { message: 'a bug' })
  t.deepEqual(engine.begun, ['a', 'b'])
  t.deepEqual(engine.stopped, ['b'])
  t.is(engine.closed, 1)
})

test('progress is a share of the recording, and nothing while its length is unknown', async (t) => {
  const { screen, engine, run } = await aRun(t, ['a'], { atOnce: 1 })
  await eventually('it is on its way', () => engine.begun.length === 1)
  engine.progress('a', 10, null)
  engine.progress('a', 10, 0)
  engine.progress('a', 10, 40)
  engine.finish('a')
  await run
  t.deepEqual(screen.fractions, [0, 0, 0.25])
})

interface Pending {
  readonly options: TranscribeOptions
  resolve(result: FileResult): void
  reject(reason: unknown): void
}

/** `transcribeFiles` with files that end when the test says so; names are single letters. */
async function aRun(t: ExecutionContext, names: readonly string[], input: { atOnce: number; missing?: string[] }) {
  const folder = await aFolder(t)
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, 'sound')
  const pending = new Map<string, Pending>()
  const log = { opened: 0, closed: 0, begun: [] as string[], stopped: [] as string[] }
  const screen = aScreen()
  const run = transcribeFiles([...paths, ...(input.missing ?? []).map((name) => join(folder, name))], {
    screen: screen.screen,
    format: 'text',
    transcribe,
    atOnce: input.atOnce,
    openEngine() {
      log.opened += 1
      screen.opened()
      return Promise.resolve({
        transcribe(path: string, options: TranscribeOptions) {
          const name = path.at(-1)!
          log.begun.push(name)
          options.signal?.addEventListener('abort', () => pending.has(name) && log.stopped.push(name))
          return new Promise<FileResult>((resolve, reject) => pending.set(name, { options, resolve, reject })).finally(
            () => pending.delete(name),
          )
        },
        close() {
          log.closed += 1
          return Promise.resolve()
        },
      })
    },
  })
  return {
    folder,
    paths,
    run,
    screen,
    engine: Object.assign(log, {
      finish: (name: string, result = aResult(`this is ${name}`)) => pending.get(name)!.resolve(result),
      fail: (name: string, reason: unknown) => pending.get(name)!.reject(reason),
      progress: (name: string, done: number, ofSeconds: number | null) =>
        pending.get(name)!.options.onProgress!(done, ofSeconds),
    }),
  }
}

function aScreen() {
  const seen = {
    results: [] as string[],
    said: [] as string[],
    saidWhenOpened: [] as string[],
    fractions: [] as number[],
    bars: {} as Record<string, string>,
  }
  const startProgress = (title: string): Progress => ({
    update: (fraction) => seen.fractions.push(fraction),
    done: () => (seen.bars[title] = 'done'),
    fail: () => (seen.bars[title] = 'failed'),
  })
  return Object.assign(seen, {
    opened: () => seen.saidWhenOpened.push(...seen.said),
    screen: {
      startProgress,
      result: (text: string) => void seen.results.push(text),
      say: (sentence: string) => void seen.said.push(sentence),
    },
  })
}

function aResult(text: string): FileResult {
  return {
    text,
    language: 'en',
    languages: [],
    duration_seconds: 1,
    model: 'fake',
    script: 'native',
    warnings: [],
    segments: [{ text, start: 0, end: 1, language: 'en', confidence: 1, words: [], tags: [], model: 'fake' }],
  }
}
