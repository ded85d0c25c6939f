import type { Segment, SpokenWord } from '../transcript/state.ts'
import type { Writing } from './ports.ts'
import { speakerNameOf, segmentEntry, speakerOf } from './state.ts'
import type { EditedWord, Entries, WrittenTranscript } from './state.ts'

/** Marks around a word, which are not part of it. Those at its end from their first on: who tried from each would try for long. */
const marks = /^\p{P}+|(?<!\p{P})\p{P}+$/gu

/** A transcript with what its user made of it. Times of segments stay, and so does everything that was measured. */
export function layOver<Transcript extends WrittenTranscript>(
  transcript: Transcript,
  entries: Entries,
  { textOf }: Pick<Writing, 'textOf'>,
): Transcript {
  const { result, spoken, punctuated } = transcript
  const segments = result.segments.map((segment, at) => {
    const words = editedWordsOf(entries, at)
    const written = words ? { ...segment, words: words.map((word) => spokenWord(segment, word)) } : segment
    return withSpeaker(words ? { ...written, text: textOf(written) } : written, entries)
  })
  const heard = (texts: readonly (readonly string[])[] | undefined, written: (text: string) => string) =>
    texts?.map(
      (own, at) =>
        editedWordsOf(entries, at)?.map((word) => (typeof word === 'number' ? (own[word] ?? '') : written(word[0]))) ??
        own,
    )
  const [heardSpoken, heardPunctuated] = [heard(spoken, bare), heard(punctuated, (text) => text)]
  return {
    ...transcript,
    result: { ...result, text: textsOf(segments).join(' '), segments },
    ...(heardSpoken && { spoken: heardSpoken }),
    ...(heardPunctuated && { punctuated: heardPunctuated }),
  }
}

/** The words of a segment that was edited. */
export function editedWordsOf(entries: Entries, segment: number): readonly EditedWord[] | undefined {
  const entry = entries[segmentEntry(segment)]
  return entry?.type === 'segment' ? entry.words : undefined
}

function textsOf(segments: readonly Segment[]): string[] {
  return segments.map(({ text }) => text).filter((text) => text !== '')
}

function spokenWord(segment: Segment, word: EditedWord): SpokenWord {
  if (typeof word === 'number') return segment.words[word]!
  const [text, start, end, language] = word
  // a person is sure of what they write
  return { word: bare(text), punctuated_word: text, start, end, language, confidence: 1 }
}

/** A word of marks alone stays. */
function bare(text: string): string {
  return text.replaceAll(marks, '') || text
}

function withSpeaker(segment: Segment, entries: Entries): Segment {
  const { speech_information: information } = segment
  if (!information) return segment
  const speaker = speakerOf(entries, information.speaker_id)
  const name = speakerNameOf(entries, speaker)
  if (speaker === information.speaker_id && name === undefined) return segment
  return {
    ...segment,
    speech_information: { ...information, speaker_id: speaker, ...(name !== undefined && { speaker_name: name }) },
  }
}
