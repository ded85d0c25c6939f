import type { FileId, GatewayId, Owner, ResumableRef, UploadId } from '../ids.ts'
import type { Blobs, Records } from '../ports.ts'
import type { Manifest, ResumableUpload, UploadedFile } from './state.ts'

/** Where uploads are received. */
export interface Receiving {
  /** A place for the files of one upload that is still being received; refused when there is no room for it. */
  receive(announced: AnnouncedUpload): Promise<Reception>
}

export interface AnnouncedUpload {
  readonly uploadId: UploadId
  readonly owner: Owner
  /** 0 when the client did not say. */
  readonly expectedBytes: number
}

/** The disk that recordings are written to on their way. */
export interface Room {
  /** Refuses what is larger than the room, before any of it is sent. */
  check(expectedBytes: number): Promise<void>
  /** The same bytes, as long as there is room for them; then it fails as a full disk does. */
  pass(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/** An object store that also takes what a client sends as it comes. */
export interface ObjectStorage extends Blobs {
  /** An object whose size nobody knows beforehand. Durable when it resolves; when it rejects there is none. */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
}

/** SHA-256 of what passes, beside the event loop, which has others to serve. */
export interface Hashing {
  begin(): RunningHash
}

export interface RunningHash {
  /** Resolves when more may come. The bytes must not change any more. */
  update(chunk: Uint8Array): Promise<void>
  /** Of all of it, in hexadecimal; the end of it. */
  digest(): Promise<string>
  /** The end of it too, for who gives up. */
  drop(): void
}

/** Bytes that no longer change, wherever they are. */
export interface StoredBytes {
  readonly sizeBytes: number
  /** Short only at their end. */
  read(offset: number, length: number): Promise<Buffer>
}

/** Where uploads wait, safe on disk, until the object store has them. */
export interface Spool extends Receiving {
  readonly gatewayId: GatewayId
  /**
   * Uploads that were committed and are not finished, oldest first. Clears what a crash left half received: at once when whoever
   * received it is surely gone, and otherwise only what nobody has written to for long.
   */
  recover(options: { readonly isWriterGone: boolean }): Promise<SpooledUpload[]>
}

/** The folder that has the spools of all gateways that share it. */
export interface Spools {
  /** Those that are there. */
  ids(): Promise<GatewayId[]>
  /** The only one there was before gateways could share a folder; what it holds is in a spool of that id now. */
  former(): Promise<GatewayId | undefined>
  forgetFormer(): Promise<void>
  /** Made when it is not there. */
  open(gatewayId: GatewayId): Promise<Spool>
  /** False when something is in it: then it stays. */
  remove(gatewayId: GatewayId): Promise<boolean>
}

export interface Reception {
  /** Streams one file in and hashes it on the way; durable after `commit`. */
  write(fileId: FileId, source: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number; sha256: string }>
  /** Lets `use` read what was written. */
  look<Result>(fileId: FileId, use: (bytes: StoredBytes) => Promise<Result>): Promise<Result>
  drop(fileId: FileId): Promise<void>
  /** The moment of acceptance: after it resolves the upload survives any crash. */
  commit(manifest: Manifest): Promise<SpooledUpload>
  /** Nothing of it stays behind. Harmless after `commit`. */
  discard(): Promise<void>
}

export interface SpooledUpload {
  /** Whose spool it is in. */
  readonly gatewayId: GatewayId
  readonly manifest: Manifest
  /** Its files are in storage already: nothing is to be moved. */
  readonly isStored: boolean
  readonly phase: SpoolPhase
  pathOf(fileId: FileId): string
  /** True while the bytes of this file still wait here. */
  holds(fileId: FileId): Promise<boolean>
  enter(phase: SpoolPhase): Promise<void>
  release(fileId: FileId): Promise<void>
  /** Forgets the upload: everything it owed is done. */
  finish(): Promise<void>
}

/**
 * `committed`: on disk, records may or may not exist. `recorded`: records exist, so one that is missing was deleted.
 * `abandoned`: the client was told no; records that may exist are owed a removal.
 */
export type SpoolPhase = 'committed' | 'recorded' | 'abandoned'

/** Uploads that may come in several requests, to whichever gateway: what came of them is in object storage until all of it is there. */
export interface ResumableUploads {
  begin(upload: ResumableUpload): Promise<void>
  /** Nothing when it is not there, or its time is over. */
  find(ref: ResumableRef): Promise<ResumableUpload | undefined>
  /** Oldest first. */
  of(owner: Owner): Promise<ResumableUpload[]>
  received(ref: ResumableRef): Promise<ReceivedBytes>
  /** Stores what comes, and resolves with where it ends. What was stored stays when it rejects. */
  append(ref: ResumableRef, at: PieceWriter, source: AsyncIterable<Uint8Array>): Promise<number>
  /** Nothing of it stays behind. */
  drop(ref: ResumableRef): Promise<void>
  /** Drops those whose time is over, and what others left behind; resolves with how many there were. */
  sweep(): Promise<number>
}

export interface PieceWriter {
  readonly startBytes: number
  /** A name that nobody else writes under. */
  readonly writer: string
}

/** What has come of an upload from its first byte on, without a gap. */
export interface ReceivedBytes {
  readonly sizeBytes: number
  readonly pieces: number
  content(): AsyncIterable<Uint8Array>
}

/** Reads a container's header: what it is and how long it plays. Never decodes, never trusts a name or a client's type. */
export interface AudioProbe {
  probe(bytes: StoredBytes): Promise<AudioFacts | NotAudio>
}

export interface AudioFacts {
  readonly audio: true
  readonly contentType: string
  /** Seconds, as the header says or its sizes imply; null when the container does not tell. */
  readonly durationSeconds: number | null
}

export interface NotAudio {
  readonly audio: false
  /** A sentence for the user: what it looks like instead, or what is broken. */
  readonly reason: string
}

/** Uploaded files, as records. */
export type FileRecords = Records<UploadedFile>
