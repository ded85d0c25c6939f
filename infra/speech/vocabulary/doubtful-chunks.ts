import { setImmediate as breathe } from 'node:timers/promises'

import type { Segment, SpokenWord } from '../../../actors/transcript/state.ts'
import type { DoubtfulChunks } from '../../../actors/vocabulary/ports.ts'
import type { VocabularyEntry } from '../../../actors/vocabulary/state.ts'
import { editDistance } from '../text/edit-distance.ts'
import { searchTerms } from '../text/search-terms.ts'

/** Of a form, the letters that may differ from what was recognised: its consonants are mostly right where a name was misheard. */
const differingShare = 0.4
/** A shorter form is near to too much: it must be the same. */
const nearFromLetters = 3
/** What the recogniser is surer of was most likely said so, unless it is the very form that was corrected. */
const sure = 0.9

interface Form {
  readonly key: string
  readonly words: number
}

/**
 * The chunks in which a word may have been said and not recognised: something that sounds like it, or like what it was taken for, stands there,
 * and the recogniser was in doubt. `isRight` says which segments a person has seen to.
 */
export const doubtfulChunks: DoubtfulChunks = async ({ result, chunks }, entries, isRight) => {
  const mayBe = resemblance(entries)
  const moments: number[] = []
  for (const [at, segment] of result.segments.entries()) {
    // hours of speech take seconds to look through
    await breathe()
    if (!isRight(at)) moments.push(...momentsIn(segment, mayBe))
  }
  return chunks
    .filter(({ start, end }) => moments.some((moment) => moment >= start && moment <= end))
    .map(({ chunk }) => chunk)
}

interface Resemblance {
  /** Of words of the transcript, at most as many as these can be one of those that are looked for. */
  readonly wordsMax: number
  /** Whether they are the very form that was corrected. */
  isSame(key: string): boolean
  isNear(key: string): boolean
}

function resemblance(entries: readonly VocabularyEntry[]): Resemblance {
  const forms = entries.flatMap(({ text, spoken = [] }) => [text, ...spoken].map(formOf))
  const corrected = new Set(entries.flatMap(({ spoken = [] }) => spoken.map((form) => formOf(form).key)))
  // people say the same words again and again
  const known = new Map<string, boolean>()
  return {
    wordsMax: Math.max(0, ...forms.map((form) => form.words)) + 1,
    isSame: (key) => corrected.has(key),
    isNear(key) {
      const before = known.get(key)
      if (before !== undefined) return before
      const near = forms.some((form) => isNear(key, form.key))
      known.set(key, near)
      return near
    },
  }
}

/** When something stands there that may have been one of them. */
function momentsIn({ words }: Segment, mayBe: Resemblance): number[] {
  const keys = words.map(({ word }) => formOf(word).key)
  const moments: number[] = []
  for (let from = 0; from < words.length; from += 1)
    for (let length = 1; length <= mayBe.wordsMax && from + length <= words.length; length += 1) {
      const key = keys.slice(from, from + length).join('')
      const own = words.slice(from, from + length)
      if (mayBe.isSame(key) || (isUnsure(own) && mayBe.isNear(key))) moments.push(middleOf(own))
    }
  return moments
}

function isUnsure(words: readonly SpokenWord[]): boolean {
  return words.some(({ confidence }) => confidence < sure)
}

/** Spaces are where the recogniser heard them: a name of two words may have been taken for one. */
function formOf(text: string): Form {
  const terms = searchTerms(text)
  return { key: terms.join(''), words: terms.length }
}

function isNear(key: string, other: string): boolean {
  const letters = Math.max(key.length, other.length)
  if (Math.min(key.length, other.length) < nearFromLetters) return false
  const most = Math.floor(letters * differingShare)
  return Math.abs(key.length - other.length) <= most && editDistance(key, other) <= most
}

function middleOf(words: readonly SpokenWord[]): number {
  return (words[0]!.start + words.at(-1)!.end) / 2
}
