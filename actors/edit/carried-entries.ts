import type { Segment } from '../transcript/state.ts'
import { editedWordsOf } from './lay-over.ts'
import { mergedEntry, nameEntry, segmentEntry } from './state.ts'
import type { EditedWord, Entries, Entry, WrittenTranscript } from './state.ts'

interface Carrying {
  readonly before: WrittenTranscript
  readonly entries: Entries
  /** Of the same recording: the sentences may be others, and so may the numbers of speakers. */
  readonly after: WrittenTranscript
}

/** A word as a person left it. */
interface LeftWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly language: string
}

/** A stretch of the recording whose words somebody has seen to: they hold, whatever is recognised there now. */
interface SeenStretch {
  readonly start: number
  readonly end: number
  readonly channel: number | undefined
  readonly words: readonly LeftWord[]
}

/** Two transcriptions place the same word at most this far apart. */
const sameWordSeconds = 0.35

/** The same edits, of another transcript of the recording. Pure. */
export function carriedEntries({ before, entries, after }: Carrying): Entries {
  return {
    ...carriedSegments(seenStretches(before, entries), after.result.segments),
    ...carriedSpeakers({ before, entries, after }),
    ...Object.fromEntries(Object.entries(entries).filter(([, { type }]) => type === 'note')),
  }
}

function seenStretches({ result }: WrittenTranscript, entries: Entries): SeenStretch[] {
  return result.segments.flatMap((segment, at) => {
    const words = editedWordsOf(entries, at)
    if (!words) return []
    const { start, end, channel } = segment
    return [{ start, end, channel, words: words.map((word) => leftWord(segment, word)) }]
  })
}

function leftWord({ words }: Segment, word: EditedWord): LeftWord {
  if (typeof word !== 'number') return { text: word[0], start: word[1], end: word[2], language: word[3] }
  const { word: bare, punctuated_word: text = bare, start, end, language } = words[word]!
  return { text, start, end, language }
}

function carriedSegments(stretches: readonly SeenStretch[], segments: readonly Segment[]): Record<string, Entry> {
  const left = new Map<number, LeftWord[]>()
  for (const { channel, words } of stretches)
    for (const word of words) {
      const at = nearestSegment(segments, middleOf(word), channel)
      if (at !== undefined) left.set(at, [...(left.get(at) ?? []), word])
    }
  const carried: Record<string, Entry> = {}
  segments.forEach((segment, at) => {
    const seen = stretches.filter(({ channel }) => channel === segment.channel)
    const words = wordsOf(segment, seen, left.get(at) ?? [])
    const isOwn = words.length === segment.words.length && words.every((word, place) => word === place)
    if (!isOwn) carried[segmentEntry(at)] = { type: 'segment', words }
  })
  return carried
}

/** Its own words where nobody looked, and a person's where they did. A word that is the same keeps what is known of it. */
function wordsOf(segment: Segment, seen: readonly SeenStretch[], left: readonly LeftWord[]): EditedWord[] {
  const isSeen = (moment: number): boolean => seen.some(({ start, end }) => moment >= start && moment <= end)
  const taken = new Set<number>()
  const placed: { readonly at: number; readonly word: EditedWord }[] = left.map((word) => {
    const same = segment.words.findIndex(
      (own, at) =>
        !taken.has(at) &&
        (own.punctuated_word ?? own.word) === word.text &&
        Math.abs(middleOf(own) - middleOf(word)) <= sameWordSeconds,
    )
    if (same >= 0) taken.add(same)
    return { at: middleOf(word), word: same >= 0 ? same : [word.text, word.start, word.end, word.language] }
  })
  segment.words.forEach((own, at) => {
    if (!taken.has(at) && !isSeen(middleOf(own))) placed.push({ at: middleOf(own), word: at })
  })
  return placed.sort((one, other) => one.at - other.at).map(({ word }) => word)
}

function nearestSegment(segments: readonly Segment[], moment: number, channel: number | undefined): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, Infinity]
  segments.forEach((segment, at) => {
    if (segment.channel !== channel) return
    const away = Math.max(segment.start - moment, moment - segment.end, 0)
    if (away >= least) return
    nearest = at
    least = away
  })
  return nearest
}

function carriedSpeakers({ before, entries, after }: Carrying): Record<string, Entry> {
  const carried: Record<string, Entry> = {}
  for (const speaker of speakersIn(before)) {
    const now = sameSpeaker(speaker, before, after)
    if (now === undefined) continue
    const [name, merged] = [entries[nameEntry(speaker)], entries[mergedEntry(speaker)]]
    if (name) carried[nameEntry(now)] = name
    const into = merged?.type === 'merged' ? sameSpeaker(merged.into, before, after) : undefined
    if (into !== undefined && into !== now) carried[mergedEntry(now)] = { type: 'merged', into }
  }
  return carried
}

function speakersIn({ result }: WrittenTranscript): ReadonlySet<string> {
  return new Set(result.segments.flatMap(({ speech_information: about }) => about?.speaker_id ?? []))
}

/** Who speaks most of the time in which they did. */
function sameSpeaker(speaker: string, before: WrittenTranscript, after: WrittenTranscript): string | undefined {
  const shared = new Map<string, number>()
  for (const old of before.result.segments.filter((one) => one.speech_information?.speaker_id === speaker))
    for (const { start, end, speech_information: about } of after.result.segments) {
      const seconds = Math.min(old.end, end) - Math.max(old.start, start)
      if (about && seconds > 0) shared.set(about.speaker_id, (shared.get(about.speaker_id) ?? 0) + seconds)
    }
  return [...shared].sort(([, one], [, other]) => other - one)[0]?.[0]
}

function middleOf({ start, end }: { readonly start: number; readonly end: number }): number {
  return (start + end) / 2
}
