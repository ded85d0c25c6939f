import { devanagarise } from '../../text/devanagarise.ts'
import { loanwordInDevanagari } from '../../text/loanwords.ts'
import { romanise } from '../../text/romanise.ts'
import { writingSystemOf } from '../../text/script.ts'
import type { ListenedVocabulary, ListenedWord } from '../recogniser.ts'
import type { CtcVocabulary } from './vocabulary.ts'

/** Of a request; a vocabulary has limits of its own. */
const maxHotwords = 1000
const maxHotwordSymbols = 100
/**
 * Nats for each symbol of a hotword: enough to win against a close rival, too little to invent a word. Of 85 words that
 * were misheard in real clips 37 are found with 1.2, 48 with 2; of 100 that nobody said none is written, with 3 two are.
 */
const bonusASymbol = 1.8
const dead = -1

/** What a caller expects to hear. */
export interface ListenedFor {
  readonly hotwords: readonly string[]
  readonly vocabulary?: ListenedVocabulary | undefined
}

/** The same as a tree. A text that follows a word of it is favoured from its first symbol on. */
export interface Hotwords {
  readonly root: number
  /** The place in the tree after a symbol, or `dead` until the next word begins. */
  step(place: number, symbol: number): number
  isWhole(place: number): boolean
  readonly dead: number
  /** What the symbol that led here is worth. */
  bonusAt(place: number): number
}

/** To make a tree of thousands of words takes longer than to decode a clip: the last one is kept, and is mostly the next one. */
export function rememberTree(vocabulary: CtcVocabulary): (listensFor: ListenedFor) => Hotwords {
  let last: { readonly key: string; readonly tree: Hotwords } | undefined
  return ({ hotwords, vocabulary: words }) => {
    const key = JSON.stringify([words?.key, hotwords])
    if (last?.key !== key) {
      const expected = hotwords.slice(0, maxHotwords).map((text) => ({ text, weight: 1 }))
      last = { key, tree: hotwordTree([...expected, ...(words?.words ?? [])], vocabulary) }
    }
    return last.tree
  }
}

export function hotwordTree(words: readonly ListenedWord[], vocabulary: CtcVocabulary): Hotwords {
  const numberOf = new Map(vocabulary.symbols.map((symbol, i) => [symbol, i]))
  const symbolsInAll = vocabulary.symbols.length
  /** By the place and the symbol that follows: one map for all places is a tenth of the memory of one for each. */
  const next = new Map<number, number>()
  const bonuses = [0]
  const whole = new Set<number>()
  for (const { text, weight } of words)
    for (const spelling of spellingsOf(text)) {
      const symbols = Array.from(spelling, (char) => numberOf.get(char))
      if (weight <= 0 || symbols.length === 0 || symbols.length > maxHotwordSymbols) continue
      if (!symbols.every((symbol) => symbol !== undefined)) continue // a script that this model does not write
      const bonus = weight * bonusASymbol
      let place = 0
      for (const symbol of symbols) {
        const way = place * symbolsInAll + symbol
        const after = next.get(way) ?? bonuses.push(0) - 1
        next.set(way, after)
        // what several words begin with counts as much as for the one that is listened for most
        bonuses[after] = Math.max(bonuses[after]!, bonus)
        place = after
      }
      whole.add(place)
    }
  return {
    root: 0,
    dead,
    bonusAt: (place) => (place === dead ? 0 : bonuses[place]!),
    step: (place, symbol) => (place === dead ? dead : (next.get(place * symbolsInAll + symbol) ?? dead)),
    isWhole: (place) => whole.has(place),
  }
}

/** The model writes an English word in a Hindi sentence in either script, Latin letters small, and nothing but letters. */
function spellingsOf(hotword: string): string[] {
  const spoken = normalised(hotword)
  const inOtherScript = spoken.split(' ').map(inTheOtherScript).join(' ')
  return [spoken, normalised(inOtherScript)]
}

function normalised(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim()
}

function inTheOtherScript(word: string): string {
  const script = writingSystemOf(word)
  if (script === 'devanagari') return romanise(word)
  return script === 'latin' ? (loanwordInDevanagari(word) ?? devanagarise(word)) : word
}
