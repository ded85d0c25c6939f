import { leaningWeights } from './word-lists.ts'

/** Whether a Latin-script word looks like romanised Hindi (above zero) or English, by its letters: for words nobody listed. */
export function leaningOf(word: string): number {
  return featuresOf(word).reduce(
    (sum, feature) => sum + weights[feature]! / weightScale,
    weights[biasFeature]! / weightScale,
  )
}

/** Pieces of two to four letters, with the edges of the word, hashed. A collision costs little and a table is small. */
export function featuresOf(word: string): number[] {
  const text = `<${word.toLowerCase()}>`
  const found: number[] = []
  for (let length = 2; length <= 4; length += 1)
    for (let at = 0; at + length <= text.length; at += 1) found.push(hash(text.slice(at, at + length)))
  return found
}

export const featureCount = 4_096
export const biasFeature = 0
/** Weights are stored as bytes of 1/32. */
export const weightScale = 32

const weights = new Int8Array(Buffer.from(leaningWeights, 'base64'))

function hash(piece: string): number {
  let state = 0x811c_9dc5
  for (let at = 0; at < piece.length; at += 1) state = Math.imul(state ^ piece.charCodeAt(at), 0x0100_0193)
  return 1 + (((state ^ (state >>> 15)) >>> 0) % (featureCount - 1))
}
