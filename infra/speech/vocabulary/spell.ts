import type { VocabularyEntry } from '../../../actors/vocabulary/state.ts'
import type { ListenedVocabulary, ListenedWord, Word } from '../asr/recogniser.ts'
import { peel, writingSystemOf } from '../text/script.ts'
import { endsSentence } from '../punctuation/marks.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'

/** How words that were recognised are to be written: by their normal form, of one or several words. */
export interface WordSpellings {
  readonly writtenAs: ReadonlyMap<string, string>
  /** Of the longest that is looked for, in words. */
  readonly wordsMax: number
}

export function listenedOf(entries: readonly VocabularyEntry[], key: string): ListenedVocabulary {
  const words = entries.flatMap(({ text, weight = 1, spoken = [] }): ListenedWord[] =>
    weight > 0 ? [text, ...spoken].map((form) => ({ text: form, weight })) : [],
  )
  return { key, words }
}

/** How strongly words are listened for that somebody has corrected: nothing else is taken from what comes then, so that more may be risked (decision 53). */
const soughtWeight = 1.5

/** As who transcribes again listens; a weight that somebody has set holds. */
export function listenedAgainOf(
  entries: readonly VocabularyEntry[],
  { sha256, sought }: { readonly sha256: string; readonly sought: readonly string[] },
): ListenedVocabulary {
  const stronger = entries.map((entry) =>
    sought.includes(entry.text) ? { ...entry, weight: entry.weight ?? soughtWeight } : entry,
  )
  return listenedOf(stronger, `${sha256} ${JSON.stringify(sought)}`)
}

/** A word itself is looked for too: what is heard as `hdfc` is written HDFC. Of two entries with the same form the first holds. */
export function spellingsIn(entries: readonly VocabularyEntry[]): WordSpellings {
  const writtenAs = new Map<string, string>()
  let wordsMax = 0
  for (const form of entries.flatMap(({ text, spoken = [] }) => [text, ...spoken].map((one) => ({ one, text })))) {
    const normal = normalForm(form.one)
    if (normal === '' || writtenAs.has(normal)) continue
    writtenAs.set(normal, form.text)
    wordsMax = Math.max(wordsMax, normal.split(' ').length)
  }
  return { writtenAs, wordsMax }
}

export function spellChunk(chunk: TranscribedChunk, spellings: WordSpellings): TranscribedChunk {
  const { transcript } = chunk
  const words = spellByHouse(transcript.words, spellings)
  if (words === transcript.words) return chunk
  return { ...chunk, transcript: { ...transcript, words, text: words.map(({ text }) => text).join(' ') } }
}

/** The same words where nothing is spelt otherwise. What is written anew keeps its time, its marks, and what was recognised. */
export function spellByHouse(words: readonly Word[], { writtenAs, wordsMax }: WordSpellings): readonly Word[] {
  const spelt: Word[] = []
  let isChanged = false
  for (let at = 0; at < words.length;) {
    const found = longestAt(words, at, { writtenAs, wordsMax })
    const own = words.slice(at, at + (found?.length ?? 1))
    const written = found && writtenAnew(own, found.text)
    isChanged ||= written !== undefined
    spelt.push(...(written ?? own))
    at += own.length
  }
  return isChanged ? spelt : words
}

interface Found {
  readonly length: number
  readonly text: string
}

/** Not over the end of a sentence: nobody says a name with a full stop in it. */
function longestAt(words: readonly Word[], at: number, { writtenAs, wordsMax }: WordSpellings): Found | undefined {
  let longest: Found | undefined
  let form = ''
  for (let length = 1; length <= wordsMax && at + length <= words.length; length += 1) {
    const before = words[at + length - 2]
    if (length > 1 && before && endsSentence(before.written ?? before.text)) break
    form = `${form} ${normalForm(words[at + length - 1]!.text)}`.trim()
    const text = writtenAs.get(form)
    if (text !== undefined) longest = { length, text }
  }
  return longest
}

/** Nothing where it is recognised so: then its capital at the beginning of a sentence stays. */
function writtenAnew(own: readonly Word[], text: string): Word[] | undefined {
  const [first, last] = [own[0]!, own.at(-1)!]
  const heard = own.map((word) => word.text).join(' ')
  const texts = text.split(' ')
  if (heard === text) return undefined
  const isOther = normalForm(heard) !== normalForm(text)
  const { before } = peel(first.written ?? '')
  const { after } = peel(last.written ?? '')
  const each = (last.end - first.start) / texts.length
  const confidence = Math.min(...own.map((word) => word.confidence))
  return texts.map((one, at): Word => {
    const isLast = at === texts.length - 1
    const language = languageIn(one, first.language)
    return {
      text: one,
      start: first.start + at * each,
      end: isLast ? last.end : first.start + (at + 1) * each,
      confidence,
      ...(language !== undefined && { language }),
      ...(first.model !== undefined && { model: first.model }),
      ...(first.written !== undefined && { written: `${at === 0 ? before : ''}${one}${isLast ? after : ''}` }),
      ...(isOther && { heard }),
    }
  })
}

/** By its letters: what is taken for Hindi in Latin letters would be written in Devanagari again. */
function languageIn(text: string, heardAs: string | undefined): string | undefined {
  const script = writingSystemOf(text)
  if (script === 'latin') return 'en'
  return script === 'devanagari' && (heardAs === undefined || heardAs === 'en') ? 'hi' : heardAs
}

/** Letters and digits alone: marks, capitals and hyphens are nobody's to hear. */
export function normalForm(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
