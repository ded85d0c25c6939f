import type { StoredPassages } from '../search/state.ts'
import type { FileResult, StoredTranscript } from '../transcript/state.ts'

/** What a user made of a transcript. What was transcribed stays as it is, and this is laid over it when it is read. */

/** One thing that is otherwise than it was transcribed. */
export type Entry =
  | { readonly type: 'segment'; readonly words: readonly EditedWord[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'merged'; readonly into: string }
  | { readonly type: 'note'; readonly at: number; readonly text: string }

/** A word of the segment as it was transcribed, by its number, or one that somebody wrote, with its times. */
export type EditedWord = number | readonly [text: string, start: number, end: number, language: string]

/** By what they are about: a segment, a speaker, a note. */
export type Entries = Readonly<Record<string, Entry>>

/** How one version came to be, so that it can be taken back. */
export interface EditStep {
  readonly version: number
  readonly atMs: number
  /** What was there before, of all that it changed; null where nothing was. */
  readonly before: Readonly<Record<string, Entry | null>>
  /** The version whose content this one has, where it was only gone back to. */
  readonly restores?: number
}

/** One version of a transcript, as it is stored: one object, with what it is searched by, so that neither is ever there without the other. */
export interface StoredEdits extends StoredPassages {
  /** Counted from 1; 0 is what was transcribed. */
  readonly version: number
  readonly atMs: number
  readonly entries: Entries
  /** The oldest first; those before are forgotten. */
  readonly steps: readonly EditStep[]
}

export interface Note {
  readonly id: string
  /** Seconds from the start of the recording. */
  readonly at: number
  readonly text: string
}

/** What readers are told of the version they read. */
export interface EditStanding {
  readonly version: number
  readonly editedAtMs: number
  /** The version that `undo` would go back to; absent when there is none any more. */
  readonly undoVersion?: number
  /** The version that `redo` would go forward to; absent when nothing was undone last. */
  readonly redoVersion?: number
  /** The oldest one, besides 0, that can still be read. */
  readonly oldestVersion: number
  readonly notes: readonly Note[]
}

export interface EditedTranscript<Transcript extends WrittenTranscript = WrittenTranscript> {
  readonly transcript: Transcript
  /** Absent where it is read as it was transcribed. */
  readonly edits?: EditStanding
}

export type WrittenTranscript = Omit<StoredTranscript, 'chunks'> & { readonly result: FileResult }

export const editLimits = {
  changes: 100,
  /** Of what is written into a segment at once, and of what a segment has beyond what was transcribed, in characters. */
  text: 4_000,
  name: 100,
  note: 2_000,
  notes: 500,
  /** Versions that can be gone back to. */
  versions: 100,
  /** What is otherwise than it was transcribed, all of it together. */
  entriesBytes: 2 * 1024 * 1024,
  /** What it takes to go back; beyond it the oldest versions are forgotten. */
  stepsBytes: 2 * 1024 * 1024,
} as const

export function segmentEntry(segment: number): string {
  return `segment.${segment}`
}

export function nameEntry(speaker: string): string {
  return `name.${speaker}`
}

export function mergedEntry(speaker: string): string {
  return `merged.${speaker}`
}

const notePrefix = 'note.'

export function noteEntry(id: string): string {
  return `${notePrefix}${id}`
}

/** In order of time. */
export function notesOf(entries: Entries): Note[] {
  return Object.entries(entries)
    .flatMap(([key, entry]) =>
      entry.type === 'note' ? [{ id: key.slice(notePrefix.length), at: entry.at, text: entry.text }] : [],
    )
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
}

/** Who a speaker is, after all that were found to be one. */
export function speakerOf(entries: Entries, speaker: string): string {
  const merged = entries[mergedEntry(speaker)]
  return merged?.type === 'merged' ? speakerOf(entries, merged.into) : speaker
}

export function speakerNameOf(entries: Entries, speaker: string): string | undefined {
  const named = entries[nameEntry(speaker)]
  return named?.type === 'name' ? named.name : undefined
}
