import type { EspeakSpoken } from '../espeak/protocol.ts'
import type { SpokenText } from '../spoken-text.ts'
import { languageSwitch, modelSymbols } from './phonemes.ts'
import { spaceToken, tokensOf } from './vocabulary.ts'

/** What the model is given at once: its tokens, and where in them each word of the clause begins. */
interface Utterance {
  readonly tokens: readonly number[]
  readonly words: readonly { readonly word: number; readonly token: number }[]
}

/** The model was taught with up to 510; long ones are rushed. */
export const tokensMax = 400
/** Of what is said slowly, at the usual speed: about as many as the longest clause has. */
const slowTokens = 240
/** Hardly any word has more, and none is to be cut. */
const tokensMin = 30

/** What is said slowly takes as much longer to make, and everybody waits for the model meanwhile: so it is given less at once, the slower the less. */
export function tokensAtOnce(speed: number): number {
  return speed >= 1 ? tokensMax : Math.max(tokensMin, Math.floor(slowTokens * speed ** 2))
}

/** As it is spelt, and how fast it is to be said. */
type SpeltClause = EspeakSpoken & { readonly speed?: number }

/** One utterance for a clause, or more when numbers or a slow voice make it long. `offsets` are where the words begin in what was read. */
export function utterancesOf(
  clause: SpokenText,
  offsets: readonly (number | undefined)[],
  { speed = 1, ...spoken }: SpeltClause,
): Utterance[] {
  const symbols = symbolsOfWords(clause, offsets, spoken)
  const most = tokensAtOnce(speed)
  const utterances: { tokens: number[]; words: { word: number; token: number }[] }[] = []
  clause.words.forEach(({ pause }, word) => {
    const tokens = tokensOf((symbols.get(word) ?? '') + pause)
    if (tokens.length === 0) return
    let last = utterances.at(-1)
    if (!last || last.tokens.length + 1 + tokens.length > most) utterances.push((last = { tokens: [], words: [] }))
    if (last.tokens.length > 0) last.tokens.push(spaceToken)
    last.words.push({ word, token: last.tokens.length })
    for (const token of tokens) {
      if (last.tokens.length >= most) utterances.push((last = { tokens: [], words: [] }))
      last.tokens.push(token)
    }
  })
  return utterances
}

function symbolsOfWords(
  clause: SpokenText,
  offsets: readonly (number | undefined)[],
  { words, phonemes }: EspeakSpoken,
): Map<number, string> {
  const symbols = new Map<number, string>()
  let language = clause.language
  let last = -1
  for (const { text, word } of phonemes) {
    const other = languageSwitch(text)
    if (other) {
      language = other
      continue
    }
    const at = words[word]?.at ?? 0
    const index = offsets.findLastIndex((offset) => offset !== undefined && offset <= at)
    // a written word that is read as several keeps them apart
    const gap = index >= 0 && word !== last && symbols.has(index) ? ' ' : ''
    const before = symbols.get(index) ?? ''
    const audio = modelSymbols(text.trim(), language)
    // the engine links `doctor asked` by an r of its own, beside the one that the vowel has in the model's symbols
    symbols.set(index, audio === 'ɹ' && before.endsWith('ɹ') ? before : before + gap + audio)
    last = word
  }
  return symbols
}
