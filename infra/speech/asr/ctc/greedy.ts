import type { LogProbs } from './logits.ts'

/** The most likely symbol of each frame, repeats merged, blanks dropped. */
export function decodeGreedily({ data, frames, symbols }: LogProbs, blank: number): number[] {
  const sequence: number[] = []
  let last = blank
  for (let frame = 0; frame < frames; frame++) {
    const row = frame * symbols
    let best = 0
    for (let symbol = 1; symbol < symbols; symbol++) if (data[row + symbol]! > data[row + best]!) best = symbol
    if (best !== last && best !== blank) sequence.push(best)
    last = best
  }
  return sequence
}
