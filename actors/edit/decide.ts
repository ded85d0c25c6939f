import { unreachable } from '../decision.ts'
import type { RedactionKind } from '../transcript/state.ts'
import { editedWordsOf } from './lay-over.ts'
import type { Writing } from './ports.ts'
import type { Change, EditRefusal, EditRequest } from './protocol.ts'
import { redactedEntries } from './redacted.ts'
import { retell } from './retell.ts'
import type { TimedWord } from './retell.ts'
import { editLimits, mergedEntry, nameEntry, noteEntry, notesOf, segmentEntry, speakerOf } from './state.ts'
import type { EditedWord, Entries, Entry, StoredEdits, WrittenTranscript } from './state.ts'
import { entriesAt, nextVersion, redoVersionOf, undoVersionOf } from './versions.ts'

type Version = Pick<StoredEdits, 'version' | 'entries' | 'steps' | 'atMs'>

interface Deciding {
  /** As it was transcribed. */
  readonly transcript: WrittenTranscript
  readonly current: StoredEdits | undefined
  readonly writing: Writing
  /** What was taken out of it, and is taken out of what is written into it. */
  readonly redact?: readonly RedactionKind[] | undefined
  readonly atMs: number
}

/** Entries, or why there are none. */
type Outcome = Entries | EditRefusal

/** The next version of a transcript. All changes are made, or none. */
export function decide(deciding: Deciding, { version, changes }: EditRequest): Version | EditRefusal {
  const current = deciding.current ?? { version: 0, entries: {}, steps: [] }
  if (version !== current.version) return outdated(version, current.version)
  const restored = restoredVersion(deciding.current, changes)
  if (restored !== undefined && isRefusal(restored)) return restored
  let entries: Outcome = restored?.entries ?? current.entries
  if (!restored)
    for (const [at, change] of changes.entries()) {
      entries = changed(deciding, entries, { change, id: `${version + 1}-${at}` })
      if (isRefusal(entries)) return { ...entries, detail: `changes.${at}: ${entries.detail}` }
    }
  if (deciding.redact) entries = redactedEntries({ ...deciding, kinds: deciding.redact }, entries)
  if (Buffer.byteLength(JSON.stringify(entries)) > editLimits.entriesBytes)
    return { code: 'too_large', detail: `All edits of a transcript are more than ${editLimits.entriesBytes} bytes.` }
  return nextVersion(current, entries, { atMs: deciding.atMs, restores: restored?.version })
}

export function outdated(seen: number, newest: number): EditRefusal {
  const detail = `This was made for version ${seen}, and the transcript is at version ${newest}: it was edited meanwhile. Read it again, and make the change there.`
  return { code: 'conflict', detail }
}

/** Whatever comes from storage and from the wire has entries of its own names: none is called `detail`. */
export function isRefusal(outcome: object): outcome is EditRefusal {
  return 'detail' in outcome
}

/** Going back and forth is done alone: nothing when it is not asked for. */
function restoredVersion(
  current: StoredEdits | undefined,
  changes: readonly Change[],
): { readonly version: number; readonly entries: Entries } | EditRefusal | undefined {
  const back = changes.find(isGoing)
  if (!back) return undefined
  if (changes.length > 1) return invalid(`${back.type} is a change of its own, and goes with no other.`)
  if (!current) return { code: 'conflict', detail: 'There is nothing to go back to: the transcript was never edited.' }
  const version = wantedVersion(current, back)
  if (version === undefined) return { code: 'conflict', detail: `There is nothing left to ${back.type}.` }
  const entries = entriesAt(current, version)
  return entries ? { version, entries } : { code: 'conflict', detail: `Version ${version} is not kept.` }
}

type Going = Extract<Change, { readonly type: 'undo' | 'redo' | 'restore' }>

function isGoing(change: Change): change is Going {
  return change.type === 'undo' || change.type === 'redo' || change.type === 'restore'
}

function wantedVersion(current: StoredEdits, going: Going): number | undefined {
  if (going.type === 'restore') return going.version
  return going.type === 'undo' ? undoVersionOf(current) : redoVersionOf(current)
}

interface Made {
  readonly change: Change
  /** For what is new. */
  readonly id: string
}

function changed(deciding: Deciding, entries: Entries, { change, id }: Made): Outcome {
  switch (change.type) {
    case 'text':
      return withSegment(deciding, entries, { segment: change.segment, textsOf: () => split(change.text) })
    case 'word': {
      const { segment, word, text } = change
      const textsOf = (words: readonly TimedWord[]) =>
        words[word] ? words.flatMap((one, at) => (at === word ? split(text) : [one.text])) : undefined
      return withSegment(deciding, entries, { segment, textsOf })
    }
    case 'name':
      return renamed(deciding, entries, change)
    case 'merge':
      return merged(deciding, entries, change)
    case 'note':
      return noted(deciding, entries, { ...change, id: change.id ?? id, isNew: change.id === undefined })
    case 'remove_note':
      return Object.hasOwn(entries, noteEntry(change.id))
        ? withEntry(entries, noteEntry(change.id), undefined)
        : invalid('there is no such note.')
    case 'undo':
    case 'redo':
    case 'restore':
      return entries
    default:
      return unreachable(change)
  }
}

interface Retelling {
  readonly segment: number
  /** Nothing when the word that is meant is not there. */
  readonly textsOf: (words: readonly TimedWord[]) => readonly string[] | undefined
}

function withSegment(
  { transcript, writing }: Deciding,
  entries: Entries,
  { segment: at, textsOf }: Retelling,
): Outcome {
  const segment = transcript.result.segments[at]
  if (!segment) return invalid(`there are ${transcript.result.segments.length} segments, counted from 0.`)
  const own = segment.words.map((_, word) => word)
  const words = (editedWordsOf(entries, at) ?? own).map((word): TimedWord => {
    if (typeof word !== 'number') return { text: word[0], start: word[1], end: word[2], word }
    const { word: bare, punctuated_word: text = bare, start, end } = segment.words[word]!
    return { text, start, end, word }
  })
  const given = textsOf(words)
  if (!given) return invalid(`the segment has ${words.length} words, counted from 0.`)
  const charactersMax = segment.text.length + editLimits.text
  // before anything is made of them: word after word may become thousands, and all are looked at with each change
  if (given.join(' ').length > charactersMax) return tooLong(charactersMax)
  // tags are no words: who sends the text back as it was read sends them along
  const tags = new Set(segment.tags.map(({ type }) => `[${type}]`))
  const texts = given.filter((text) => !tags.has(text))
  const languages = writing.languagesOf(texts, segment.language)
  const told = retell(words, texts, segment).map((word, place): EditedWord =>
    'kept' in word ? word.kept : [word.text, word.start, word.end, languages[place] ?? segment.language],
  )
  const isOwn = told.length === own.length && told.every((word, place) => word === place)
  return withEntry(entries, segmentEntry(at), isOwn ? undefined : { type: 'segment', words: told })
}

function renamed({ transcript }: Deciding, entries: Entries, change: Change & { type: 'name' }): Outcome {
  if (!speakersOf(transcript).has(change.speaker)) return noSpeaker(change.speaker)
  const name = split(change.name).join(' ')
  const key = nameEntry(speakerOf(entries, change.speaker))
  return withEntry(entries, key, name === '' ? undefined : { type: 'name', name })
}

function merged({ transcript }: Deciding, entries: Entries, change: Change & { type: 'merge' }): Outcome {
  const speakers = speakersOf(transcript)
  for (const speaker of [change.speaker, change.into]) if (!speakers.has(speaker)) return noSpeaker(speaker)
  const [speaker, into] = [speakerOf(entries, change.speaker), speakerOf(entries, change.into)]
  if (speaker === into) return invalid('these are one speaker already.')
  return withEntry(entries, mergedEntry(speaker), { type: 'merged', into })
}

type Noting = Extract<Change, { type: 'note' }> & { readonly id: string; readonly isNew: boolean }

function noted({ transcript }: Deciding, entries: Entries, { id, at, text, isNew }: Noting): Outcome {
  if (at > transcript.result.duration_seconds)
    return invalid(`the recording has ${transcript.result.duration_seconds} seconds.`)
  if (!isNew && !Object.hasOwn(entries, noteEntry(id))) return invalid('there is no such note.')
  if (isNew && notesOf(entries).length >= editLimits.notes)
    return invalid(`a transcript has at most ${editLimits.notes} notes.`)
  return withEntry(entries, noteEntry(id), { type: 'note', at, text: text.trim() })
}

function withEntry(entries: Entries, key: string, entry: Entry | undefined): Entries {
  const { [key]: _, ...others } = entries
  return entry ? { ...others, [key]: entry } : others
}

function speakersOf({ result }: WrittenTranscript): ReadonlySet<string> {
  return new Set(result.segments.flatMap(({ speech_information: about }) => about?.speaker_id ?? []))
}

function split(text: string): string[] {
  return text.split(/[\s\p{Cc}]+/u).filter((part) => part !== '')
}

function tooLong(charactersMax: number): EditRefusal {
  return {
    code: 'too_large',
    detail: `the segment would have more than ${charactersMax} characters, which is its limit.`,
  }
}

function noSpeaker(speaker: string): EditRefusal {
  return invalid(`there is no speaker ${JSON.stringify(speaker)}.`)
}

function invalid(detail: string): EditRefusal {
  return { code: 'invalid_request', detail }
}
