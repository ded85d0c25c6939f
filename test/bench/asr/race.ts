import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import type { Recording } from '../../support/recordings.ts'
import { secondsOf } from '../speech.ts'
import { countLoops } from './loops.ts'

/** One way to recognise. */
export interface Contestant {
  readonly name: string
  readonly layout: Layout
  readonly guard: string
  /** The others are compared with these; with the first contestant when there is none. */
  readonly isReference?: boolean
  hear(clips: readonly Float32Array[]): Promise<readonly string[]>
  close(): Promise<void>
}

/** How the cores are used: all of them for one clip after the other, or each for a clip of its own. */
export type Layout = 'one clip' | 'clip a core'

interface Heat {
  readonly model: string
  readonly language: string
  readonly clips: readonly Recording[]
  /** Of so many runs over each clip the best counts. */
  readonly rounds: number
  readonly cores: number
  /** Whether those who hear all clips together also hear each alone, for how long one takes. */
  readonly alone?: boolean
}

export type Row = Readonly<Record<string, string>>

/**
 * All contestants on the same clips. They take turns clip by clip, so that whatever else the machine does falls on all
 * of them; who hears all clips together does so at the start of a round.
 */
export async function race(heat: Heat, contestants: readonly Contestant[]): Promise<Row[]> {
  const runs = contestants.map((contestant) => startRun(contestant, heat))
  for (const { contestant } of runs) await contestant.hear([heat.clips[0]!.samples])
  for (let round = 0; round < heat.rounds; round += 1) {
    for (const run of runs.filter(({ together }) => together)) await time(run.contestant, run.together!)
    for (const at of heat.clips.keys())
      for (const { contestant, alone } of runs) if (alone[at]) await time(contestant, alone[at])
  }
  for (const { contestant } of runs) await contestant.close()
  const rows = runs.map((run) => rowOf(heat, run, runs))
  for (const row of rows) console.error(Object.values(row).join(' | '))
  return rows
}

interface Take {
  readonly clips: readonly Recording[]
  bestMs: number
  texts: readonly string[]
}

interface Run {
  readonly contestant: Contestant
  readonly alone: readonly Take[]
  readonly together: Take | undefined
}

function startRun(contestant: Contestant, { clips, alone = false }: Heat): Run {
  const aTake = (input: readonly Recording[]): Take => ({ clips: input, bestMs: Number.POSITIVE_INFINITY, texts: [] })
  const isTogether = contestant.layout === 'clip a core'
  return {
    contestant,
    alone: alone || !isTogether ? clips.map((clip) => aTake([clip])) : [],
    together: isTogether ? aTake(clips) : undefined,
  }
}

async function time(contestant: Contestant, take: Take): Promise<void> {
  const samples = take.clips.map((clip) => clip.samples)
  const fromMs = performance.now()
  take.texts = await contestant.hear(samples)
  take.bestMs = Math.min(take.bestMs, performance.now() - fromMs)
}

function rowOf({ model, language, clips, cores }: Heat, run: Run, runs: readonly Run[]): Row {
  const { contestant } = run
  const marked = runs.filter((other) => other.contestant.isReference)
  const references = marked.length > 0 ? marked : runs.slice(0, 1)
  const alike = references.find((other) => other.contestant.layout === contestant.layout)
  const texts = textsOf(run)
  const theirs = textsOf(references[0]!)
  const rates = errorRates(clips.map(({ text }, at) => ({ said: text, heard: texts[at]! })))
  const same = texts.filter((text, at) => text.trim() === theirs[at]!.trim()).length
  const isComparable = run !== references[0] && contestant.guard === references[0]!.contestant.guard
  return {
    model,
    speech: `${language}, ${clips.length} clips`,
    'run by': contestant.name,
    cores: contestant.layout === 'one clip' ? `${cores} for a clip` : `${cores} clips, 1 core each`,
    guard: contestant.guard,
    'WER %': percent(rates.wordErrorRate),
    'CER %': percent(rates.characterErrorRate),
    loops: String(countLoops(texts)),
    '× real time': ((1000 * secondsOf(clips)) / elapsedMs(run)).toFixed(2),
    's a clip': run.alone.length > 0 ? (aloneMs(run) / 1000 / clips.length).toFixed(2) : '',
    '× alike': alike ? (elapsedMs(alike) / elapsedMs(run)).toFixed(2) : '',
    '× best': (Math.min(...references.map(elapsedMs)) / elapsedMs(run)).toFixed(2),
    'same text %': isComparable ? ((100 * same) / texts.length).toFixed(0) : '',
  }
}

function textsOf({ alone, together }: Run): readonly string[] {
  return together?.texts ?? alone.flatMap(({ texts }) => texts)
}

function elapsedMs(run: Run): number {
  return run.together?.bestMs ?? aloneMs(run)
}

function aloneMs({ alone }: Run): number {
  return alone.reduce((sum, { bestMs }) => sum + bestMs, 0)
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}
