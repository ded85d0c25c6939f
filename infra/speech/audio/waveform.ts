import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Waveform } from '../../../actors/transcript/state.ts'

/** More than a screen has columns, few enough to be read with every transcript. */
const pointsMax = 1_600
const finestSamples = recogniserRate / 20
/** Of the loudest that a recording can be. */
const loudest = 1_000

interface WaveformMaker {
  /** The next of each channel, all of one length: the loudest of them counts. */
  push(block: readonly Float32Array[]): void
  /** So many samples are not looked at. */
  skip(samples: number): void
  made(): Waveform
}

/** How loud a recording is from beginning to end, without knowing before how long it is: when there are too many points, two become one. */
export function createWaveform(): WaveformMaker {
  let levels: number[] = []
  let samplesAPoint = finestSamples
  let [taken, level] = [0, 0]

  const halve = (): void => {
    levels = Array.from({ length: pointsMax / 2 }, (_, at) => Math.max(levels[2 * at]!, levels[2 * at + 1]!))
    samplesAPoint *= 2
  }
  const take = (length: number, block: readonly Float32Array[]): void => {
    for (let start = 0; start < length;) {
      const end = Math.min(length, start + samplesAPoint - taken)
      for (const samples of block) level = Math.max(level, loudestOf(samples, start, end))
      taken += end - start
      start = end
      if (taken < samplesAPoint) continue
      levels.push(level)
      ;[taken, level] = [0, 0]
      if (levels.length === pointsMax) halve()
    }
  }
  return {
    push: (block) => take(block[0]?.length ?? 0, block),
    skip: (samples) => take(samples, []),
    made: () => ({
      seconds_per_point: samplesAPoint / recogniserRate,
      levels: [...levels, ...(taken > 0 ? [level] : [])].map((one) => Math.min(loudest, Math.round(one * loudest))),
    }),
  }
}

function loudestOf(samples: Float32Array, start: number, end: number): number {
  let most = 0
  for (let at = start; at < end; at += 1) most = Math.max(most, Math.abs(samples[at]!))
  return most
}
