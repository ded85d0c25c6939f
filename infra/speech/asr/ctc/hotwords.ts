import type { Vocabulary } from './vocabulary.ts'

export const maxHotwords = 1000
const maxHotwordSymbols = 100
/** Nats for each symbol of a hotword: enough to win against a close rival, too little to invent a word. */
const bonusASymbol = 1.2
const dead = -1

/** Words that a caller expects, as a tree. A text that follows one is favoured from its first symbol on. */
export interface Hotwords {
  readonly root: number
  /** The place in the tree after a symbol, or `dead` until the next word begins. */
  step(place: number, symbol: number): number
  isWhole(place: number): boolean
  readonly dead: number
  readonly bonusASymbol: number
}

export function hotwordTree(words: readonly string[], vocabulary: Vocabulary): Hotwords {
  const numberOf = new Map(vocabulary.symbols.map((symbol, i) => [symbol, i]))
  const children: Map<number, number>[] = [new Map()]
  const whole = new Set<number>()
  for (const word of words.slice(0, maxHotwords)) {
    const symbols = Array.from(word.normalize('NFC').trim().replace(/\s+/gu, ' '), (char) => numberOf.get(char))
    if (symbols.length === 0 || symbols.length > maxHotwordSymbols) continue
    if (!symbols.every((symbol) => symbol !== undefined)) continue // a script that this model does not write
    let place = 0
    for (const symbol of symbols) {
      const next = children[place]!.get(symbol) ?? children.push(new Map()) - 1
      children[place]!.set(symbol, next)
      place = next
    }
    whole.add(place)
  }
  return {
    root: 0,
    dead,
    bonusASymbol,
    step: (place, symbol) => (place === dead ? dead : (children[place]!.get(symbol) ?? dead)),
    isWhole: (place) => whole.has(place),
  }
}
