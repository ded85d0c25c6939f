import type { RedactionKind, SpokenWord } from '../transcript/state.ts'
import { layOver } from './lay-over.ts'
import type { Writing } from './ports.ts'
import { segmentEntry } from './state.ts'
import type { EditedWord, Entries, Entry, WrittenTranscript } from './state.ts'

interface Redacting {
  /** As it was transcribed. */
  readonly transcript: WrittenTranscript
  readonly writing: Writing
  readonly kinds: readonly RedactionKind[]
}

/**
 * What somebody writes into a redacted transcript is redacted as what was said is, before it is stored: also what is a number only since
 * words between its parts were taken away.
 */
export function redactedEntries({ transcript, writing, kinds }: Redacting, entries: Entries): Entries {
  const laid = layOver(transcript, entries, writing)
  const { segments } = writing.redact(laid, kinds).result
  const hidden = segments.flatMap(({ words }, at): [string, Entry][] => {
    if (words === laid.result.segments[at]!.words) return []
    const own = transcript.result.segments[at]!.words
    return [[segmentEntry(at), { type: 'segment', words: words.map((word) => storedWord(own, word)) }]]
  })
  return { ...entries, ...Object.fromEntries(hidden) }
}

function storedWord(own: readonly SpokenWord[], word: SpokenWord): EditedWord {
  const place = own.indexOf(word)
  return place < 0 ? [word.punctuated_word ?? word.word, word.start, word.end, word.language] : place
}
