import { tagTypes } from '../../../actors/transcript/state.ts'
import type { Quality } from '../../../actors/transcript/state.ts'
import { editDistanceBy } from '../text/edit-distance.ts'
import { errorRates, normalisedForScoring, rate } from '../text/error-rate.ts'
import { loanwordInLatin } from '../text/loanwords.ts'
import { romanKey } from '../text/roman-key.ts'
import { romanise } from '../text/romanise.ts'
import { writingSystemOf } from '../text/script.ts'

const decimals = 10_000

/** WER and CER as everybody computes them, and the variant that does not punish a choice of script. */
export function qualityOf(given: { readonly said: string; readonly heard: string }): Quality {
  const texts = { said: withoutTags(given.said), heard: withoutTags(given.heard) }
  const plain = errorRates([texts])
  const [said, heard] = [wordsOf(texts.said), wordsOf(texts.heard)]
  const inLatin = errorRates([{ said: latin(said), heard: latin(heard) }])
  return {
    words: plain.words,
    characters: plain.characters,
    word_error_rate: rounded(plain.wordErrorRate),
    character_error_rate: rounded(plain.characterErrorRate),
    either_script: {
      word_error_rate: rounded(rate(editsInEitherScript(said, heard), said.length)),
      character_error_rate: rounded(inLatin.characterErrorRate),
    },
  }
}

/** Nobody said them: they stand for what is no word. */
function withoutTags(text: string): string {
  return text.replaceAll(anyTag, ' ')
}

const anyTag = new RegExp(`\\[(?:${tagTypes.join('|')})\\]`, 'g')

interface Word {
  readonly text: string
  readonly isDevanagari: boolean
  readonly latin: string
  /** What spellings of the same sound have in common; बस may be bas or bus. */
  readonly keys: readonly string[]
}

function wordsOf(text: string): Word[] {
  return normalisedForScoring(text)
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const isDevanagari = writingSystemOf(word) === 'devanagari'
      const inLatin = isDevanagari ? romanise(word).toLowerCase() : word
      const keys = [inLatin, loanwordInLatin(word) ?? ''].map(romanKey).filter(Boolean)
      return { text: word, isDevanagari, latin: inLatin, keys }
    })
}

/** Within one script a word is right only as it is written: sound alone would forgive too much there. */
function editsInEitherScript(said: readonly Word[], heard: readonly Word[]): number {
  const byText = new Map<string, number[]>()
  const byKey = { devanagari: new Map<string, number[]>(), other: new Map<string, number[]>() }
  for (const [at, { text, isDevanagari, keys }] of said.entries()) {
    note(byText, text, at)
    for (const key of new Set(keys)) note(isDevanagari ? byKey.devanagari : byKey.other, key, at)
  }
  return editDistanceBy(said.length, heard.length, (at) => {
    const { text, isDevanagari, keys } = heard[at]!
    const alike = keys.map((key) => (isDevanagari ? byKey.other : byKey.devanagari).get(key) ?? [])
    return [byText.get(text) ?? [], ...alike]
  })
}

function note(places: Map<string, number[]>, name: string, at: number): void {
  const found = places.get(name)
  if (found) found.push(at)
  else places.set(name, [at])
}

function latin(words: readonly Word[]): string {
  return words.map((word) => word.latin).join(' ')
}

function rounded(value: number): number {
  return Math.round(value * decimals) / decimals
}
