import { add, emptySet, has, members } from '../bitset.ts'
import type { Bitset } from '../bitset.ts'
import type { BatchId, RunRef } from '../ids.ts'
import type { InquiryKind } from '../inquiry/state.ts'
import type { RedactionKind, Script } from '../transcript/state.ts'
import type { UsedVocabulary } from '../vocabulary/state.ts'
import type { SecretHeaders } from '../secret-headers.ts'

/** How speed is traded for accuracy. */
export const profiles = ['fast', 'balanced', 'accurate'] as const
export type Profile = (typeof profiles)[number]

/** A file in a batch: what was ordered, which never changes, and how far it is. */
export type RunState = RunOrder & {
  readonly progress: RunProgress
  /** When a worker first took it up, as people are told; nothing is decided by it (I11). */
  readonly startedAtMs?: number
  /** The most that one of its steps needed, where that is more than its progress says. */
  readonly attempts?: number
  /** Its user may have edited what was understood; without it nobody did. */
  readonly isEdited?: true
}

export interface WorkAhead {
  /** Pieces of work that its user had before it when it came, about; absent when there were none. */
  readonly ahead?: number
}

export interface RunOrder extends RunRef, WorkAhead, SourceOptions, ContinuedRun {
  readonly filename: string
  readonly source: Source
  readonly settings: TranscribeSettings
  readonly acceptedAtMs: number
  /** As its header tells. */
  readonly estimatedSeconds: number
  /** Its batch has no other file. */
  readonly isOnly?: true
  /** Its file was there when its batch was known to who deletes that: they end this as well, and nobody need look for the file again. */
  readonly isTied?: true
}

/** What is shorter is cut in moments, on a machine that has nothing else to do. */
const longFromSeconds = 60

/** Whether to cut it keeps others waiting, as its header tells: one that lies is found out when it is cut. */
export function isLong({ estimatedSeconds }: Pick<RunOrder, 'estimatedSeconds'>): boolean {
  return estimatedSeconds >= longFromSeconds
}

export interface ContinuedRun {
  /** A run of another file with the same bytes, which was asked for in the same way: what it transcribed is not transcribed again. */
  readonly sameAs?: Pick<RunRef, 'fileId' | 'batchId'>
  /** The batch whose run of this file it goes on with: what was transcribed there is not transcribed again. */
  readonly continues?: BatchId
  /** Except these of its chunks. */
  readonly again?: Bitset
}

/** What a user wrote beside something of theirs. It comes back as it is, and means nothing here. */
export type Metadata = Readonly<Record<string, unknown>>

/** What a submission says of one of its files, beside where that is. */
export interface SourceOptions {
  readonly metadata?: Metadata
  /** Absent: all of it. */
  readonly part?: RecordingPart
}

/** What of a recording is transcribed, in seconds from its beginning; without an end, all that follows. */
export interface RecordingPart {
  readonly start: number
  readonly end?: number
}

/** Of whatever has them, these alone. */
export function sourceOptionsOf({ metadata, part }: SourceOptions): SourceOptions {
  return { ...(metadata && { metadata }), ...(part && { part }) }
}

export type Source =
  | { readonly type: 'upload'; readonly key: string }
  | { readonly type: 'url'; readonly url: string; readonly headers?: SecretHeaders }

/** What the client asked for; what is left out is the service's to choose. */
export interface TranscribeSettings {
  readonly language?: string
  readonly profile?: Profile
  readonly hotwords?: readonly string[]
  /** Whose entries are kept with the batch: see `vocabulary/batch-words.ts`. */
  readonly vocabulary?: UsedVocabulary
  readonly script: Script
  /** `auto`: apart where they are the two sides of a call. */
  readonly channels: (typeof channelModes)[number]
  /** How many people speak; it says nothing of channels that are kept apart. */
  readonly speakers?: number
  /** What is taken out of the words before anybody reads them; absent where nothing is. */
  readonly redact?: readonly RedactionKind[]
  /** What was taken out is kept as well, apart, for its user alone. */
  readonly keepUnredacted?: true
  /** What is given out of the recording is a copy in which a tone stands for it. */
  readonly redactAudio?: true
  /** What is said, where that is known: then only when is asked, word by word. */
  readonly saidText?: string
  /** What a chat model is to write about each transcript; its questions are kept with the batch: see `inquiry/batch-questions.ts`. */
  readonly after?: readonly InquiryKind[]
}

export const channelModes = ['mix', 'separate', 'auto'] as const

export const speakersMax = 32

/** queued → planning ⇄ waiting → running → assembling → finished. Gone ends them all (I12); finished stays finished (I2). */
export type RunProgress =
  | ({ readonly phase: 'queued' } & MayBeCancelled)
  | ({ readonly phase: 'planning'; readonly attempt: number; readonly sinceMs: number } & MayBeCancelled)
  | WaitingRun
  | { readonly phase: 'running'; readonly attempt: number; readonly chunks: Chunks }
  | { readonly phase: 'assembling'; readonly attempt: number; readonly chunks: Chunks }
  | FinishedRun
  | { readonly phase: 'gone' }

/** Whoever takes it up finds out whether it was deleted, and ends it then. */
interface MayBeCancelled {
  readonly cancelledAtMs?: number
}

/** For the next attempt at what failed: at the plan or, when there are chunks, at putting them together. */
interface WaitingRun {
  readonly phase: 'waiting'
  /** The one that comes. */
  readonly attempt: number
  readonly delayMs: number
  readonly error: StepError
  readonly chunks?: Chunks
}

export interface FinishedRun {
  readonly phase: 'finished'
  readonly outcome: Outcome
  readonly attempt: number
  readonly finishedAtMs: number
  /** Speech that was heard and not understood; left out when there is none. */
  readonly wordlessSeconds?: number
  /** Of most of the speech, `und` when there is none; the version before did not write it down. */
  readonly language?: string
  /** What was understood is no longer kept. */
  readonly isExpired?: true
  /** Why the file as a whole has no result; why parts of it are missing is with its chunks. */
  readonly errors: readonly StepError[]
  /** Absent when the file failed before it was cut. */
  readonly chunks?: Chunks
}

export type Outcome = 'completed' | 'partial' | 'failed'

/** The chunks of a file. `total` is written once, before the first is issued; the counts are sizes of sets (I3). */
export interface Chunks {
  readonly total: number
  /** Of the recording. */
  readonly seconds: number
  /** Those below this number have been enqueued. */
  readonly issued: number
  readonly done: Bitset
  readonly failed: Bitset
  /** What is known of chunks that are issued and not settled, by number. */
  readonly active: Readonly<Record<number, ActiveChunk>>
  /** Of chunks that failed for good; `chunkErrorsOf` tells them one by one. */
  readonly errors: readonly StoredFailures[]
}

export interface ActiveChunk {
  readonly status: 'processing' | 'retrying'
  readonly attempt: number
  readonly sinceMs: number
  /** Of the last attempt. */
  readonly error?: StepError
  /** How often its message was gone without an outcome. */
  readonly lost?: number
}

export type ChunkError = StepError & { readonly chunk: number }

/** Why chunks failed, kept once for all that failed alike: so a record holds it however many they are. */
export interface AlikeFailures extends Omit<StepError, 'chunk'> {
  readonly chunks: Bitset
  /** When the last of them did. */
  readonly atMs: number
}

/** The version before kept an entry for each chunk. */
export type StoredFailures = AlikeFailures | ChunkError

export interface StepError {
  readonly chunk?: number
  readonly code: string
  readonly message: string
  readonly attempts: number
  readonly atMs: number
}

export function chunksOf(progress: RunProgress): Chunks | undefined {
  return 'chunks' in progress ? progress.chunks : undefined
}

/** Whether there is something to read. */
export function hasWords(run: RunState | undefined): run is RunState {
  return run?.progress.phase === 'finished' && run.progress.outcome !== 'failed' && !run.progress.isExpired
}

export function cancelledAtMsOf(progress: RunProgress): number | undefined {
  return 'cancelledAtMs' in progress ? progress.cancelledAtMs : undefined
}

export function isRunSettled(progress: RunProgress): progress is FinishedRun | { readonly phase: 'gone' } {
  return progress.phase === 'finished' || progress.phase === 'gone'
}

/** How far a file is, as its batch knows it. */
export function standingOf(progress: RunProgress): 'started' | Outcome | 'gone' {
  if (progress.phase === 'gone') return 'gone'
  return progress.phase === 'finished' ? progress.outcome : 'started'
}

/** One by one, in the order of their numbers. */
export function chunkErrorsOf(stored: readonly StoredFailures[]): ChunkError[] {
  return stored
    .map(alike)
    .flatMap(({ chunks, ...error }) => members(chunks).map((chunk) => ({ ...error, chunk })))
    .sort((one, other) => one.chunk - other.chunk)
}

export function errorOfChunk(stored: readonly StoredFailures[], chunk: number): ChunkError | undefined {
  const found = stored.map(alike).find(({ chunks }) => has(chunks, chunk))
  if (!found) return undefined
  const { chunks: _, ...error } = found
  return { ...error, chunk }
}

/** As it is stored now. */
export function alike(stored: StoredFailures): AlikeFailures {
  if ('chunks' in stored) return stored
  const { chunk, ...error } = stored
  return { ...error, chunks: add(emptySet, chunk) }
}
