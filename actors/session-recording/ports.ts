import type { FileId, Owner } from '../ids.ts'

/** In each channel of every frame of a recording, at `recogniserRate`. */
export const recordedFrameSamples = 4_096

/** A session that its owner keeps, and the file that becomes of it. */
export interface RecordingRef {
  readonly owner: Owner
  readonly fileId: FileId
}

/** What is known of a recording when it begins. None of it ever changes. */
export interface BegunRecording extends RecordingRef {
  readonly sessionId: string
  readonly begunAtMs: number
  /** Who is to be told when it is transcribed. */
  readonly callbackUrl?: string
}

/** What somebody said in a session, as it was known then: the fields are the wire's. Times are seconds of the recording. */
export interface SessionTurn {
  readonly item_id: string
  readonly role: 'user' | 'assistant'
  readonly start: number
  readonly end: number
  readonly live_text: string
}

/** What a session was told of the speech in it, for whoever transcribes its recording. */
export interface RecordingHints {
  /** As the client named it: `hi`, `en-IN`. */
  readonly language?: string
  readonly keywords?: readonly string[]
  /** The id of the owner's words. */
  readonly vocabulary?: string
}

/** What is known of a recording beside its sound. */
export interface RecordingNotes {
  readonly turns: readonly SessionTurn[]
  readonly hints: RecordingHints
}

/** A stretch of a recording: frames of sound that follow each other, and what became known of turns meanwhile. */
export interface RecordingPiece {
  /** Of the first frame, counted from the beginning of the recording. */
  readonly firstFrame: number
  readonly frames: readonly Uint8Array[]
  /** Each as it was known last; what is said of an item in a later piece holds. */
  readonly turns: readonly SessionTurn[]
  /** As they were when it ended. */
  readonly hints: RecordingHints
}

/** What keeps a recording from becoming a file, though its owner may help. */
export interface RecordingObstacle {
  readonly reason: 'quota'
  /** In a sentence, for the owner. */
  readonly message: string
}

/** Everything that is stored of a recording. */
export interface StoredRecording {
  /** The last frame and all before it, stored or not. */
  readonly frames: number
  readonly sizeBytes: number
  notes(): Promise<RecordingNotes>
  /** In order, each once; frames that nobody stored are left out. */
  content(): AsyncIterable<RecordedFrame>
}

export interface RecordedFrame {
  readonly number: number
  readonly bytes: Uint8Array
}

/** Recordings of sessions, in object storage, from their beginning until they are files like others. */
export interface SessionRecordings {
  begin(recording: BegunRecording): Promise<void>
  /** `writer`: a name that nobody else writes under. Nobody replaces what another wrote. */
  append(ref: RecordingRef, writer: string, piece: RecordingPiece): Promise<void>
  /** Nothing more comes. */
  end(ref: RecordingRef): Promise<void>
  /** `newer`: another version wrote it, and it is left to that. */
  find(ref: RecordingRef): Promise<BegunRecording | 'newer' | undefined>
  /** Of all users. */
  ended(): Promise<RecordingRef[]>
  begun(): Promise<RecordingRef[]>
  read(ref: RecordingRef): Promise<StoredRecording>
  obstacle(ref: RecordingRef): Promise<RecordingObstacle | undefined>
  /** Undefined: there is none any more. */
  setObstacle(ref: RecordingRef, obstacle: RecordingObstacle | undefined): Promise<void>
  /** Nothing of it stays behind. */
  drop(ref: RecordingRef): Promise<void>
}

/** What was said live in sessions that became files. It is erased with them. */
export interface TurnStore {
  store(ref: RecordingRef, turns: SessionTurns): Promise<void>
  read(ref: RecordingRef): Promise<SessionTurns | undefined>
}

export interface SessionTurns {
  readonly sessionId: string
  readonly begunAtMs: number
  readonly turns: readonly SessionTurn[]
  /** Absent in what an earlier version stored. */
  readonly hints?: RecordingHints
}
