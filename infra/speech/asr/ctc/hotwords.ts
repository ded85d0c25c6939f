import { devanagarise } from '../../text/devanagarise.ts'
import { loanwordInDevanagari } from '../../text/loanwords.ts'
import { romanise } from '../../text/romanise.ts'
import { writingSystemOf } from '../../text/script.ts'
import type { CtcVocabulary } from './vocabulary.ts'

const maxHotwords = 1000
const maxHotwordSymbols = 100
/**
 * Nats for each symbol of a hotword: enough to win against a close rival, too little to invent a word. Of 85 words that
 * were misheard in real clips 37 are found with 1.2, 48 with 2; of 100 that nobody said none is written, with 3 two are.
 */
const bonusASymbol = 1.8
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

export function hotwordTree(words: readonly string[], vocabulary: CtcVocabulary): Hotwords {
  const numberOf = new Map(vocabulary.symbols.map((symbol, i) => [symbol, i]))
  const children: Map<number, number>[] = [new Map()]
  const whole = new Set<number>()
  for (const spelling of words.slice(0, maxHotwords).flatMap(spellingsOf)) {
    const symbols = Array.from(spelling, (char) => numberOf.get(char))
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
