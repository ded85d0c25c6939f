import { hindiRank } from './devanagarise.ts'
import { loanwordInDevanagari } from './loanwords.ts'
import { peel, writingSystemOf } from './script.ts'
import type { WritingSystem } from './script.ts'
import { englishWords } from './word-lists.ts'
import { leaningOf } from './word-leaning.ts'

/** The language of each word. `und` is a word that belongs to none: a number, a sign, a script we do not place. */
export interface WordLanguage {
  readonly language: string
  readonly confidence: number
}

interface LanguageMix {
  /** The language of most words, `und` when no word has one. */
  readonly language: string
  /** Largest share first; the shares of the words that have a language add up to one. */
  readonly languages: readonly { readonly code: string; readonly share: number }[]
  /** Indexes of the words before which the language changes. */
  readonly switchPoints: readonly number[]
  /** Gambäck and Das's index: 0 is one language, 50 is two in equal parts. */
  readonly codeMixingIndex: number
}

/**
 * A word in Devanagari is Hindi, borrowed or not, and whoever writes it so writes Latin letters for English: who heard or
 * typed a sentence with Devanagari in it does not romanise. In a sentence of Latin letters alone Hindi and English share
 * them, so each word is weighed (known words by how common they are in either language, others by their letters) and
 * then read in its sentence: neighbours tend to be of one language.
 * `segmentLanguage` is what the recogniser says; it settles scripts and languages that are not told apart here.
 */
export function languagesOfWords(words: readonly string[], segmentLanguage?: string): WordLanguage[] {
  const scripts = words.map((word) => writingSystemOf(peel(word).core))
  const latinIsEnglish = scripts.includes('devanagari')
  const weighed = words.map((word, at) => weigh(peel(word).core, scripts[at]!, { segmentLanguage, latinIsEnglish }))
  const leanings = weighed.map((item) => (item.kind === 'leaning' ? item.leaning : undefined))
  const likely = likelihoodsOfHindi(leanings, segmentLanguage)
  const found = weighed.map((item, at) => {
    if (item.kind === 'settled') return { language: item.language, confidence: item.confidence }
    const hindi = likely[at] ?? 0.5
    return hindi >= 0.5 ? { language: 'hi', confidence: hindi } : { language: 'en', confidence: 1 - hindi }
  })
  return latinIsEnglish || isHindiSentence(found) ? found : withoutStrays(found, words)
}

const hindiShare = 0.3

/** Its small words carry a sentence, so it follows Hindi long before most of its words do. */
export function isHindiSentence(words: readonly Pick<WordLanguage, 'language'>[]): boolean {
  return languageMixOf(words).languages.some(({ code, share }) => code === 'hi' && share >= hindiShare)
}

/** A word that nobody listed may look like Hindi; alone in an English sentence it is a name or rare English. */
function withoutStrays(found: readonly WordLanguage[], words: readonly string[]): WordLanguage[] {
  const isHindi = (at: number): boolean => found[at]?.language === 'hi'
  return found.map((word, at) => {
    if (!isHindi(at) || isHindi(at - 1) || isHindi(at + 1) || isSurelyHindi(peel(words[at]!).core)) return word
    return { language: 'en', confidence: 0.5 }
  })
}

/** Among the commonest words of Hindi, and none of English. */
function isSurelyHindi(core: string): boolean {
  return !englishRanks.has(core.toLowerCase()) && (hindiRank(core) ?? unlisted) < commonest
}

const commonest = 300

export function languageMixOf(words: readonly Pick<WordLanguage, 'language'>[]): LanguageMix {
  const counts = new Map<string, number>()
  const switchPoints: number[] = []
  let last: string | undefined
  words.forEach(({ language }, at) => {
    if (language === 'und') return
    counts.set(language, (counts.get(language) ?? 0) + 1)
    if (last !== undefined && last !== language) switchPoints.push(at)
    last = language
  })
  const total = Array.from(counts.values()).reduce((sum, count) => sum + count, 0)
  const languages = Array.from(counts, ([code, count]) => ({ code, share: count / total })).sort(
    (a, b) => b.share - a.share,
  )
  const most = languages[0]
  return {
    language: most?.code ?? 'und',
    languages,
    switchPoints,
    codeMixingIndex: most ? 100 * (1 - most.share) : 0,
  }
}

type Weighed =
  | { readonly kind: 'settled'; readonly language: string; readonly confidence: number }
  | { readonly kind: 'leaning'; readonly leaning: number }

const languageOfScript: Readonly<Partial<Record<WritingSystem, string>>> = {
  arabic: 'ur',
  bengali: 'bn',
  gurmukhi: 'pa',
  gujarati: 'gu',
  oriya: 'or',
  tamil: 'ta',
  telugu: 'te',
  kannada: 'kn',
  malayalam: 'ml',
}
const devanagariLanguages = new Set(['hi', 'mr', 'ne', 'sa', 'kok', 'mai', 'doi', 'brx'])
const settledConfidence = 0.95
const foreignConfidence = 0.8

interface WordContext {
  readonly segmentLanguage: string | undefined
  readonly latinIsEnglish: boolean
}

function weigh(core: string, script: WritingSystem, { segmentLanguage, latinIsEnglish }: WordContext): Weighed {
  if (script === 'none' || script === 'other') return { kind: 'settled', language: 'und', confidence: 1 }
  const isDevanagari = segmentLanguage !== undefined && devanagariLanguages.has(segmentLanguage)
  if (script === 'devanagari')
    return { kind: 'settled', language: isDevanagari ? segmentLanguage : 'hi', confidence: settledConfidence }
  const byScript = languageOfScript[script]
  if (byScript !== undefined) return { kind: 'settled', language: byScript, confidence: settledConfidence }
  if (segmentLanguage !== undefined && segmentLanguage !== 'en' && !isDevanagari)
    return { kind: 'settled', language: segmentLanguage, confidence: foreignConfidence }
  if (latinIsEnglish) return { kind: 'settled', language: 'en', confidence: settledConfidence }
  return { kind: 'leaning', leaning: leaningOfLatin(core) }
}

const strongest = 4
const unlisted = 20_000
const englishRanks = new Map(englishWords.map((word, rank) => [word, rank]))

/** Log-odds of Hindi against English. The share of a word in its language falls about as its rank grows (Zipf). */
function leaningOfLatin(core: string): number {
  const lower = core.toLowerCase()
  const english =
    englishRanks.get(lower) ?? (loanwordInDevanagari(lower) === undefined ? undefined : englishWords.length)
  const hindi = hindiRank(lower)
  const byLetters = leaningOf(lower)
  if (english === undefined && hindi === undefined) return bounded(byLetters)
  const byRank = Math.log((english ?? unlisted) + zipfOffset) - Math.log((hindi ?? unlisted) + zipfOffset)
  // a word that both languages have says little by itself: its neighbours decide
  if (english !== undefined && hindi !== undefined) return bounded(sharedWeight * byRank)
  return bounded(byRank + lettersWeight * byLetters)
}

const zipfOffset = 3
const lettersWeight = 0.3
const sharedWeight = 0.5

function bounded(leaning: number): number {
  return Math.max(-strongest, Math.min(strongest, leaning))
}

const staying = 0.82

/** Forward and backward over the sentence: two states, which tend to last. Words that do not lean are passed over. */
function likelihoodsOfHindi(leanings: readonly (number | undefined)[], segmentLanguage: string | undefined): number[] {
  const prior = segmentLanguage === 'hi' ? 0.65 : segmentLanguage === 'en' ? 0.35 : 0.5
  const odds = leanings.map((leaning) => 1 / (1 + Math.exp(-(leaning ?? 0))))
  const forward: number[] = []
  let hindi = prior
  odds.forEach((own, at) => {
    const before = at === 0 ? prior : hindi * staying + (1 - hindi) * (1 - staying)
    hindi = normalised(before * own, (1 - before) * (1 - own))
    forward.push(hindi)
  })
  const likely: number[] = []
  let ahead = 0.5 // what the rest of the sentence says about this word
  for (let at = odds.length - 1; at >= 0; at -= 1) {
    const here = forward[at]!
    likely[at] = normalised(here * ahead, (1 - here) * (1 - ahead))
    const seen = normalised(odds[at]! * ahead, (1 - odds[at]!) * (1 - ahead))
    ahead = seen * staying + (1 - seen) * (1 - staying)
  }
  return likely
}

function normalised(a: number, b: number): number {
  return a + b === 0 ? 0.5 : a / (a + b)
}
