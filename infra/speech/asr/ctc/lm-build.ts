import { backOffWeights } from './lm-back-off.ts'
import { countText } from './lm-count.ts'
import { backOffZero, lmBytes } from './lm-format.ts'
import { pruned } from './lm-prune.ts'
import { smoothed } from './lm-smooth.ts'
import { wholeTrie } from './lm-trie.ts'

const steps = 255
/** Rarer than anything that decides between two readings; the steps are spent on what does. */
const quietestNats = 16
const step = quietestNats / steps

interface LmBuildOptions {
  readonly order: number
  /** The size that the model must not exceed. */
  readonly mostBytes?: number
}

/** A character n-gram model of text, one sentence a line. */
export function buildLm(lines: Iterable<string>, { order, mostBytes = Infinity }: LmBuildOptions): Uint8Array {
  const text = countText(lines, order)
  const trie = wholeTrie(text.shape)
  const kept = pruned({ text, trie, smoothed: smoothed(text, trie) }, mostBytes)
  return lmBytes({
    order,
    step,
    unknown: Math.log(kept.left[0]!),
    codePoints: text.codePoints,
    ...kept.shape,
    logProb: Uint8Array.from(kept.probability, (each) => stepsBelow(0, each)),
    backOff: Uint8Array.from(backOffWeights(kept, wholeTrie(kept.shape)), (each) => stepsBelow(backOffZero, each)),
  })
}

function stepsBelow(zero: number, probability: number): number {
  return Math.min(steps, Math.max(0, zero + Math.round(-Math.log(probability) / step)))
}
