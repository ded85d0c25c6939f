import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import type { Recording } from '../../support/wav.ts'
import { secondsOf } from '../speech.ts'
import { countLoops } from './loops.ts'

/** One way to recognise. */
export interface Contestant {
  readonly name: string
  readonly guard: string
  /** Clips that it is given in one call. */
  readonly atOnce: number
  hear(clips: readonly Float32Array[]): Promise<readonly string[]>
  close(): Promise<void>
}

export interface Heat {
  readonly model: string
  readonly language: string
  readonly clips: readonly Recording[]
  /** Of so many runs over each clip the best counts. */
  readonly rounds: number
}

export type Row = Readonly<Record<string, string>>

/**
 * All contestants on the same clips. They take turns clip by clip, so that whatever else the machine does falls on all of
 * them; the first is the one that the others are compared with.
 */
export async function race(heat: Heat, contestants: readonly Contestant[]): Promise<Row[]> {
  const runs = contestants.map((contestant) => startRun(contestant, heat.clips))
  for (const { contestant } of runs) await contestant.hear([heat.clips[0]!.samples])
  for (let round = 0; round < heat.rounds; round += 1)
    for (const at of heat.clips.keys()) for (const run of runs) await step(run, at)
  for (const { contestant } of runs) await contestant.close()
  const rows = runs.map((run) => rowOf(heat, run, runs[0]!))
  for (const row of rows) console.error(Object.values(row).join(' | '))
  return rows
}

interface Run {
  readonly contestant: Contestant
  readonly groups: readonly { readonly clips: readonly Recording[]; bestMs: number; texts: readonly string[] }[]
}

function startRun(contestant: Contestant, clips: readonly Recording[]): Run {
  const { atOnce } = contestant
  const groups = Array.from({ length: Math.ceil(clips.length / atOnce) }, (_, at) => ({
    clips: clips.slice(at * atOnce, (at + 1) * atOnce),
    bestMs: Number.POSITIVE_INFINITY,
    texts: [],
  }))
  return { contestant, groups }
}

async function step({ contestant, groups }: Run, at: number): Promise<void> {
  const group = groups[at]
  if (!group) return
  const samples = group.clips.map((clip) => clip.samples)
  const fromMs = performance.now()
  group.texts = await contestant.hear(samples)
  group.bestMs = Math.min(group.bestMs, performance.now() - fromMs)
}

function rowOf({ model, language, clips }: Heat, run: Run, first: Run): Row {
  const texts = textsOf(run)
  const references = textsOf(first)
  const rates = errorRates(clips.map(({ text }, at) => ({ said: text, heard: texts[at]! })))
  const same = texts.filter((text, at) => text.trim() === references[at]!.trim()).length
  const isComparable = run !== first && run.contestant.guard === first.contestant.guard
  return {
    model,
    'run by': run.contestant.name,
    guard: run.contestant.guard,
    speech: `${language}, ${clips.length} clips`,
    'WER %': percent(rates.wordErrorRate),
    'CER %': percent(rates.characterErrorRate),
    loops: String(countLoops(texts)),
    '× real time': ((1000 * secondsOf(clips)) / elapsedMs(run)).toFixed(2),
    '× first': (elapsedMs(first) / elapsedMs(run)).toFixed(2),
    'same text %': isComparable ? ((100 * same) / texts.length).toFixed(0) : '',
  }
}

function textsOf({ groups }: Run): string[] {
  return groups.flatMap(({ texts }) => texts)
}

function elapsedMs({ groups }: Run): number {
  return groups.reduce((sum, { bestMs }) => sum + bestMs, 0)
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}
