import { join } from 'node:path'

import { noProgress } from '../../../infra/progress.ts'
import { moonshineFiles } from '../../../infra/speech/asr/files.ts'
import { profiles } from '../../../infra/speech/asr/profiles.ts'
import { openEngine } from '../../../infra/speech/open-engine.ts'
import type { Recording } from '../../support/wav.ts'
import { ourHindi, ourMoonshine, ourWhisper } from './bench-of-recognisers.ts'
import type { Bench, Layout } from './bench-of-recognisers.ts'
import { openPlainMoonshine } from './plain-moonshine.ts'
import { race } from './race.ts'
import type { Contestant, Row } from './race.ts'
import { openTransformers } from './transformers.ts'

/** A padded encoder and a decoder that loops take minutes: they hear fewer clips, less often. */
const whisperClips = 10
const roundsOf: Readonly<Record<string, number>> = { 'whisper-tiny': 3, 'whisper-base': 2, 'whisper-small': 1 }
const rounds = 3
const batchSize = 8
/** One long run meets a quiet moment less often than eight short ones. */
const batchRounds = 6

export async function whisperEnglish(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const model of ['whisper-tiny', 'whisper-base', 'whisper-small']) {
    const contestants = await whispers(bench, model, 'en')
    const heat = { model, language: 'English', clips: bench.speech.english, rounds: roundsOf[model] ?? rounds }
    rows.push(...(await race(heat, contestants)))
  }
  return rows
}

/** How often plain decoding loops, and what the guards make of it. */
export async function whisperHindi(bench: Bench): Promise<Row[]> {
  const clips = bench.speech.hindi.slice(0, whisperClips)
  const rows: Row[] = []
  for (const model of ['whisper-tiny', 'whisper-base', 'whisper-small']) {
    const plain =
      model === 'whisper-small'
        ? [await ourWhisper(bench, model, { layout: 'lanes', language: 'hi', guarded: false })]
        : await whispers(bench, model, 'hi')
    const guarded = await ourWhisper(bench, model, { layout: 'lanes', language: 'hi', guarded: true })
    rows.push(...(await race({ model, language: 'Hindi', clips, rounds: 1 }, [...plain, guarded])))
  }
  return rows
}

/** Plain greedy decoding, beside the rival if there is one. */
async function whispers(bench: Bench, model: string, language: string): Promise<Contestant[]> {
  const contestants: Contestant[] = []
  if (bench.rivals !== undefined) {
    const located = await bench.store.fetch(model)
    contestants.push(await openTransformers(bench.rivals, located, { language, threads: bench.cores }))
  }
  for (const layout of ['threads', 'lanes'] satisfies Layout[])
    contestants.push(await ourWhisper(bench, model, { layout, language, guarded: false }))
  return contestants
}

export async function moonshine(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const model of ['moonshine-tiny-en', 'moonshine-base-en']) {
    const files = moonshineFiles(await bench.store.fetch(model))
    const contestants = [
      await openPlainMoonshine(files, bench.cores),
      await ourMoonshine(bench, model, { layout: 'threads', language: 'en', guarded: false }),
      await ourMoonshine(bench, model, { layout: 'lanes', language: 'en', guarded: false }),
      await ourMoonshine(bench, model, { layout: 'lanes', language: 'en', guarded: true }),
    ]
    const heat = { model, language: 'English', clips: bench.speech.english, rounds }
    rows.push(...(await race(heat, contestants)))
  }
  return rows
}

export async function hindi(bench: Bench): Promise<Row[]> {
  const states = new Map((await bench.store.list()).map(({ id, state }) => [id, state]))
  const atHand = ['vaak-hindi-base', 'vaak-hindi-small'].filter((id) => states.get(id) === 'ready')
  const rows: Row[] = []
  for (const model of atHand) {
    const contestants = [await ourHindi(bench, model, 'greedy'), await ourHindi(bench, model, 'language model')]
    const heat = { model, language: 'Hindi', clips: bench.speech.hindi, rounds }
    rows.push(...(await race(heat, contestants)))
  }
  return rows
}

/** From the file to the text, the language found out by the engine: one file after the other, as the command does it. */
export async function engines(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const profile of profiles) {
    const clipsOf = { hindi: bench.speech.hindi, english: bench.speech.english }
    for (const [folder, clips] of Object.entries(clipsOf)) {
      const contestant = await anEngine(bench, profile, pathsOf(clips, join(bench.speech.folder, folder)))
      const language = folder === 'hindi' ? 'Hindi' : 'English'
      rows.push(...(await race({ model: `engine, ${profile}`, language, clips, rounds: 1 }, [contestant])))
    }
  }
  return rows
}

function pathsOf(clips: readonly Recording[], folder: string): Map<Float32Array, string> {
  return new Map(clips.map(({ samples, name }) => [samples, join(folder, name)]))
}

async function anEngine(
  bench: Bench,
  profile: (typeof profiles)[number],
  paths: ReadonlyMap<Float32Array, string>,
): Promise<Contestant> {
  const { cacheDir, modelDir } = bench
  const engine = await openEngine({ cacheDir, modelDir, profile, startProgress: noProgress })
  return {
    name: 'vaak transcribe',
    guard: 'all',
    atOnce: 1,
    async hear([clip]) {
      const options = { script: 'native', channels: 'mix', speechInformation: false } as const
      const { segments } = await engine.transcribe(paths.get(clip!)!, options)
      return [segments.flatMap(({ words }) => words.map(({ word }) => word)).join(' ')]
    },
    close: () => engine.close(),
  }
}

/** The same recogniser with the same lanes, given eight clips together and one after the other. */
export async function batches(bench: Bench): Promise<Row[]> {
  const { speech } = bench
  const lanes = 'lanes' as const
  const rows: Row[] = []
  const measure = async (model: string, language: string, open: () => Promise<Contestant>): Promise<void> => {
    const all = language === 'Hindi' ? speech.hindi : speech.english
    const clips = Array.from({ length: batchSize }, (_, at) => all[at % all.length]!)
    const contestants = [
      { ...(await open()), name: `${batchSize} singles`, atOnce: 1 },
      { ...(await open()), name: `a batch of ${batchSize}`, atOnce: batchSize },
    ]
    rows.push(...(await race({ model, language, clips, rounds: batchRounds }, contestants)))
  }
  await measure('vaak-hindi-base', 'Hindi', () => ourHindi(bench, 'vaak-hindi-base', 'language model'))
  await measure('moonshine-tiny-en', 'English', () =>
    ourMoonshine(bench, 'moonshine-tiny-en', { layout: lanes, language: 'en', guarded: true }),
  )
  await measure('whisper-tiny', 'English', () =>
    ourWhisper(bench, 'whisper-tiny', { layout: lanes, language: 'en', guarded: true }),
  )
  return rows
}
