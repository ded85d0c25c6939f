import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Word } from './recogniser.ts'

/**
 * Attention says roughly when a word was said and gives every pause to one of its neighbours. The sound knows better:
 * silence at the edges of a word is cut off, and a word with a pause inside keeps the longer side of it.
 */
export function settleWords(words: readonly Word[], samples: Float32Array): Word[] {
  const settled: Word[] = []
  const floor = noiseFloor(samples)
  for (const word of words) {
    const runs = soundingRuns(samples, word, floor)
    const kept = runs.reduce<Run | undefined>(
      (best, run) => (best && lengthOf(best) >= lengthOf(run) ? best : run),
      undefined,
    )
    if (!kept) {
      settled.push(word)
      continue
    }
    const before = runs.filter((run) => run.end <= kept.start)
    const previous = settled.at(-1)
    // sound before the pause is the end of what came before it
    if (previous && before.length > 0) settled[settled.length - 1] = { ...previous, end: before.at(-1)!.end }
    settled.push({ ...word, start: kept.start, end: kept.end })
  }
  return settled
}

interface Run {
  readonly start: number
  readonly end: number
}

const frameSeconds = 0.01
const frameSamples = frameSeconds * recogniserRate
/** Of the word's own loudest frame: about -30 dB in a quiet room, never more than -10 dB in a noisy one. */
const leastAudioShare = 0.03
const mostAudioShare = 0.3
const aboveFloor = 2.5
const floorQuantile = 0.1
const shortestPauseFrames = 20
const shortestWordSeconds = 0.04

/** Stretches of audio inside the word, split only by pauses of 0.2 s and more. */
function soundingRuns(samples: Float32Array, { start, end }: Run, floor: number): Run[] {
  const first = Math.floor(start / frameSeconds)
  const count = Math.max(0, Math.ceil(end / frameSeconds) - first)
  const levels = Array.from({ length: count }, (_, i) => levelAt(samples, first + i))
  const peak = Math.max(0, ...levels)
  const threshold = Math.max(leastAudioShare * peak, Math.min(aboveFloor * floor, mostAudioShare * peak))
  const runs: { from: number; to: number }[] = []
  levels.forEach((level, at) => {
    if (level <= threshold) return
    const last = runs.at(-1)
    if (last && at - last.to <= shortestPauseFrames) last.to = at + 1
    else runs.push({ from: at, to: at + 1 })
  })
  return runs
    .map(({ from, to }) => ({
      start: Math.max(start, (first + from) * frameSeconds),
      end: Math.min(end, (first + to) * frameSeconds),
    }))
    .filter((run) => lengthOf(run) >= shortestWordSeconds)
}

function noiseFloor(samples: Float32Array): number {
  const levels = Float32Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, i) => levelAt(samples, i))
  return levels.sort()[Math.floor(levels.length * floorQuantile)] ?? 0
}

function levelAt(samples: Float32Array, frame: number): number {
  const from = frame * frameSamples
  let sum = 0
  for (let i = from; i < Math.min(samples.length, from + frameSamples); i++) sum += samples[i]! * samples[i]!
  return Math.sqrt(sum / frameSamples)
}

function lengthOf({ start, end }: Run): number {
  return end - start
}
