import type { VocabularyEntry } from '../../../actors/vocabulary/state.ts'
import type { Word } from '../asr/recogniser.ts'
import { searchTerms } from '../text/search-terms.ts'
import { peel, writingSystemOf } from '../text/script.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { normalForm, spellChunk, spellingsIn } from './spell.ts'

/** Two words are at the same place when they share more than this of the shorter one: borders differ a little from one time to the next. */
const sharedShare = 0.5

/**
 * What a chunk said before, with nothing but the words that are sought from what it says now, each with what it cannot be parted from: who
 * listens more strongly for a name hears other words otherwise too, and as often worse as better. The same object when none of them came.
 */
export function withSought(
  before: TranscribedChunk,
  now: TranscribedChunk,
  sought: readonly VocabularyEntry[],
): TranscribedChunk {
  const spelt = spellChunk(before, spellingsIn(sought))
  const { words } = spelt.transcript
  const find = finderOf(sought)
  const found = stretchesOf(words, now.transcript.words, find).filter(
    ({ old, now: anew }) => find(old).length < find(anew).length,
  )
  if (found.length === 0) return spelt
  const parts: Word[] = []
  let at = 0
  for (const { oldFrom, old, now: anew } of found) {
    parts.push(...words.slice(at, oldFrom), ...inPlaceOf(old, anew))
    at = oldFrom + old.length
  }
  const all = [...parts, ...words.slice(at)]
  const models = modelsOf(before, now)
  return {
    ...spelt,
    ...(models && { models }),
    transcript: { ...spelt.transcript, words: all, text: all.map(({ text }) => text).join(' ') },
  }
}

interface Range {
  readonly from: number
  /** Not itself a part of it. */
  readonly to: number
}

type Find = (words: readonly Word[]) => Range[]

/** Where one of them stands: as it is written, or in the other script. */
function finderOf(sought: readonly VocabularyEntry[]): Find {
  const forms = sought.map(({ text }) => ({
    normal: normalForm(text),
    key: keyOf(text),
    script: writingSystemOf(text),
  }))
  const wordsMax = Math.max(0, ...forms.map(({ normal }) => normal.split(' ').length))
  const isSought = (text: string): boolean => {
    const normal = normalForm(text)
    return forms.some((form) => form.normal === normal || isOtherScript(form, text))
  }
  return (words) => {
    const found: Range[] = []
    for (let from = 0; from < words.length;) {
      const most = Math.min(wordsMax, words.length - from)
      const lengths = Array.from({ length: most }, (_, shorter) => most - shorter)
      const textOf = (length: number): string =>
        words
          .slice(from, from + length)
          .map(({ text }) => text)
          .join(' ')
      const length = lengths.find((one) => isSought(textOf(one)))
      if (length !== undefined) found.push({ from, to: from + length })
      from += length ?? 1
    }
    return found
  }
}

function isOtherScript(form: { readonly key: string; readonly script: unknown }, text: string): boolean {
  return form.key !== '' && writingSystemOf(text) !== form.script && keyOf(text) === form.key
}

function keyOf(text: string): string {
  return searchTerms(text).join('')
}

interface Stretch {
  readonly oldFrom: number
  readonly old: readonly Word[]
  readonly now: readonly Word[]
}

/** In order. Two words that are sought may be in one stretch. */
function stretchesOf(before: readonly Word[], now: readonly Word[], find: Find): Stretch[] {
  const stretches: Stretch[] = []
  let taken = 0
  for (const seed of find(now)) {
    if (seed.from < taken) continue
    const { old, anew } = grown(before, now, seed)
    taken = anew.to
    stretches.push({ oldFrom: old.from, old: before.slice(old.from, old.to), now: now.slice(anew.from, anew.to) })
  }
  return stretches
}

/** Until no word on either side shares its place with one outside: where two words were one, both are of it. */
function grown(before: readonly Word[], now: readonly Word[], seed: Range): { old: Range; anew: Range } {
  let anew = seed
  for (;;) {
    const old = sharing(before, now.slice(anew.from, anew.to)) ?? gapBefore(before, now[anew.from]!)
    const back = sharing(now, before.slice(old.from, old.to)) ?? anew
    const wider = { from: Math.min(anew.from, back.from), to: Math.max(anew.to, back.to) }
    if (wider.from === anew.from && wider.to === anew.to) return { old, anew }
    anew = wider
  }
}

function sharing(words: readonly Word[], others: readonly Word[]): Range | undefined {
  const isShared = (word: Word): boolean => others.some((other) => isSamePlace(word, other))
  const from = words.findIndex(isShared)
  return from < 0 ? undefined : { from, to: words.findLastIndex(isShared) + 1 }
}

function isSamePlace(one: Word, other: Word): boolean {
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start)
  return shared > sharedShare * Math.min(one.end - one.start, other.end - other.start)
}

function gapBefore(words: readonly Word[], { start }: Word): Range {
  const after = words.findIndex((word) => word.start >= start)
  const from = after < 0 ? words.length : after
  return { from, to: from }
}

/** The marks around them stay: the sentence is the one that it was. */
function inPlaceOf(old: readonly Word[], anew: readonly Word[]): Word[] {
  const { before } = peel(old[0]?.written ?? '')
  const { after } = peel(old.at(-1)?.written ?? '')
  return anew.map((word, at) => {
    if (word.written === undefined) return word
    const own = peel(word.written)
    const first = at === 0 ? before : own.before
    const last = at === anew.length - 1 ? after : own.after
    return { ...word, written: `${first}${own.core}${last}` }
  })
}

/** Words of both are in it. */
function modelsOf({ models }: TranscribedChunk, { models: more }: TranscribedChunk): TranscribedChunk['models'] {
  if (!models || !more) return models ?? more
  const known = new Set(models.map((model) => JSON.stringify(model)))
  return [...models, ...more.filter((model) => !known.has(JSON.stringify(model)))]
}
