import { join } from 'node:path'

import { moonshineFiles } from '../../../infra/speech/asr/files.ts'
import { profiles } from '../../../actors/run/state.ts'
import { filesAtOnce, openEngine } from '../../../infra/speech/engine/open-engine.ts'
import { AtOnce } from '../../../infra/speech/threads/at-once.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import type { Recording } from '../../support/recordings.ts'
import { ourHinglish, ourMoonshine, ourWhisper } from './bench-of-recognisers.ts'
import type { Bench } from './bench-of-recognisers.ts'
import { race } from './race.ts'
import type { Contestant, Layout, Row } from './race.ts'
import { aRival } from './rivals.ts'
import type { Rival } from './rivals.ts'

const layouts = ['one clip', 'clip a core'] satisfies Layout[]
/** A padded encoder and a decoder that loops take minutes: they hear fewer clips, less often. */
const whisperClips = 10
const roundsOf: Readonly<Record<string, number>> = { 'whisper-tiny': 4, 'whisper-base': 3, 'whisper-small': 2 }
const rounds = 5
const batchSize = 8
const sideBySide = 4

export async function whisperEnglish(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  const { cores } = bench
  for (const model of Object.keys(roundsOf)) {
    const contestants = await whispers(bench, model, { language: 'en', layouts })
    const heat = { model, language: 'English', clips: bench.speech.english, rounds: roundsOf[model] ?? 1 }
    rows.push(...(await race({ ...heat, cores, alone: true }, contestants)))
  }
  return rows
}

/** How often plain decoding loops, and what the guards make of it. */
export async function whisperHindi(bench: Bench): Promise<Row[]> {
  const clips = bench.speech.hindi.slice(0, whisperClips)
  const rows: Row[] = []
  for (const model of Object.keys(roundsOf)) {
    const contestants = [
      ...(await whispers(bench, model, { language: 'hi', layouts: ['clip a core'] })),
      await ourWhisper(bench, model, { layout: 'clip a core', language: 'hi', guarded: true }),
    ]
    rows.push(...(await race({ model, language: 'Hindi', clips, rounds: 1, cores: bench.cores }, contestants)))
  }
  return rows
}

interface Whispers {
  readonly language: string
  readonly layouts: readonly Layout[]
}

/** Plain greedy decoding, beside the rival if there is one. */
async function whispers(bench: Bench, model: string, { language, layouts: wanted }: Whispers): Promise<Contestant[]> {
  const located = await bench.store.fetch(model)
  const rivals: Rival[] =
    bench.rivals === undefined ? [] : [{ kind: 'transformers', from: bench.rivals, model: located, language }]
  const contestants = await inEveryLayout(rivals, wanted, bench.cores)
  for (const layout of wanted) contestants.push(await ourWhisper(bench, model, { layout, language, guarded: false }))
  return contestants
}

export async function moonshine(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  const { cores, rivals: from } = bench
  for (const model of ['moonshine-tiny-en', 'moonshine-base-en']) {
    const files = moonshineFiles(await bench.store.fetch(model))
    const others: Rival[] = [{ kind: 'plain loop', files }]
    if (from !== undefined) others.push({ kind: 'sherpa', from, files })
    const contestants = await inEveryLayout(others, layouts, cores)
    for (const layout of layouts)
      contestants.push(await ourMoonshine(bench, model, { layout, language: 'en', guarded: false }))
    contestants.push(await ourMoonshine(bench, model, { layout: 'clip a core', language: 'en', guarded: true }))
    const heat = { model, language: 'English', clips: bench.speech.english, rounds, cores, alone: true }
    rows.push(...(await race(heat, contestants)))
  }
  return rows
}

async function inEveryLayout(
  rivals: readonly Rival[],
  wanted: readonly Layout[],
  cores: number,
): Promise<Contestant[]> {
  const contestants: Contestant[] = []
  for (const rival of rivals) for (const layout of wanted) contestants.push(await aRival(rival, layout, cores))
  return contestants
}

/** Our own models alone, without and with the language model. */
export async function hinglishHeat(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const model of ['vaak-hinglish-base', 'vaak-hinglish-small'])
    for (const [language, clips] of [
      ['Hindi', bench.speech.hindi],
      ['English', bench.speech.english],
    ] as const) {
      const contestants = [await ourHinglish(bench, model, 'greedy'), await ourHinglish(bench, model, 'language model')]
      rows.push(...(await race({ model, language, clips, rounds: 2, cores: bench.cores }, contestants)))
    }
  return rows
}

/** From the file to the text, the language found out by the engine: several files at once, as the command does it. */
export async function engines(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  const { cores } = bench
  for (const profile of profiles) {
    const clipsOf = { hindi: bench.speech.hindi, english: bench.speech.english }
    for (const [folder, clips] of Object.entries(clipsOf)) {
      const contestant = await anEngine(bench, profile, pathsOf(clips, join(bench.speech.folder, folder)))
      const language = folder === 'hindi' ? 'Hindi' : 'English'
      rows.push(...(await race({ model: `engine, ${profile}`, language, clips, rounds: 2, cores }, [contestant])))
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
  const atOnce = filesAtOnce()
  const engine = await openEngine({ cacheDir, modelDir, profile, startProgress: noProgress, filesAtOnce: atOnce })
  const options = { script: 'mixed', channels: 'mix', speechInformation: false } as const
  return {
    name: 'vaak transcribe',
    layout: 'clip a core',
    guard: 'all',
    async hear(clips) {
      const texts: string[] = []
      const files = new AtOnce(atOnce)
      for (const [at, clip] of clips.entries())
        await files.begin(async () => {
          const { segments } = await engine.transcribe(paths.get(clip)!, options)
          texts[at] = segments.flatMap(({ words }) => words.map(({ word }) => word)).join(' ')
        })
      await files.finish()
      return texts
    },
    close: () => engine.close(),
  }
}

/** Eight clips one after the other with all cores for each, against eight handed over together. */
export async function batchHeat(bench: Bench): Promise<Row[]> {
  const { cores } = bench
  const { english } = bench.speech
  const clips = Array.from({ length: batchSize }, (_, at) => english[at % english.length]!)
  const shape = { language: 'en', guarded: true }
  const ours = { 'moonshine-tiny-en': ourMoonshine, 'whisper-tiny': ourWhisper, 'whisper-base': ourWhisper }
  const rows: Row[] = []
  for (const [model, open] of Object.entries(ours)) {
    const contestants = [
      { ...(await open(bench, model, { ...shape, layout: 'one clip' })), name: `vaak, ${batchSize} singles` },
      { ...(await open(bench, model, { ...shape, layout: 'clip a core' })), name: `vaak, ${batchSize} together` },
    ]
    if (open === ourWhisper) {
      const batch = await ourWhisper(bench, model, { ...shape, layout: 'clip a core', batch: sideBySide })
      contestants.push({ ...batch, name: `vaak, ${batchSize} together, ${sideBySide} side by side on a core` })
    }
    rows.push(...(await race({ model, language: 'English', clips, rounds, cores }, contestants)))
  }
  return rows
}
