import { boundary, lmArrays } from './lm-format.ts'

/** A character model that is walked symbol by symbol. A state stands for the last symbols, as many as the model knows. */
export interface CharacterLm {
  /** The state at the beginning of a word, with nothing known before it. */
  readonly start: number
  /** The model's number for a character, or -1 for one that its text never had. */
  symbolOf(character: string): number
  /** Log-probability (nats) of the symbol in this state. The state after it is `next`, until the next call. */
  score(state: number, symbol: number): number
  next(): number
}

export function openLm(bytes: Uint8Array): CharacterLm {
  const { codePoints, first, suffix, symbol: symbols, logProb, backOff, step, unknown } = lmArrays(bytes)
  const contexts = suffix.length
  const numberOf = new Map(Array.from(codePoints, (codePoint, symbol) => [String.fromCodePoint(codePoint), symbol]))
  const symbolOf = (character: string) => numberOf.get(character) ?? -1
  let after = 0

  function childOf(context: number, symbol: number): number {
    let low = first[context]!
    let high = first[context + 1]! - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = symbols[middle]!
      if (found === symbol) return middle
      if (found < symbol) low = middle + 1
      else high = middle - 1
    }
    return 0
  }

  /** The longest context that ends in this symbol; an n-gram of the highest order is none itself. */
  function contextAfter(context: number, symbol: number): number {
    let shorter = context
    let child = childOf(shorter, symbol)
    while ((child === 0 || child >= contexts) && shorter !== 0) {
      shorter = suffix[shorter]!
      child = childOf(shorter, symbol)
    }
    return child < contexts ? child : 0
  }

  function score(state: number, symbol: number): number {
    let context = state
    let penalty = 0
    for (;;) {
      const child = symbol < 0 ? 0 : childOf(context, symbol)
      if (child !== 0) {
        after = contextAfter(context, symbol)
        return -(penalty + logProb[child]!) * step
      }
      if (context === 0) {
        after = 0
        return unknown - penalty * step
      }
      penalty += backOff[context]!
      context = suffix[context]!
    }
  }

  return { start: contextAfter(0, symbolOf(boundary)), symbolOf, score, next: () => after }
}
