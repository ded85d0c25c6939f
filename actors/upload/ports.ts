import type { FileId, UploadId } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { Manifest, UploadedFile } from './state.ts'

/** Where uploads wait, safe on disk, until the object store has them. */
export interface Spool {
  /** A place for the files of one upload that is still being received; refused when the disk has no room for it. */
  receive(uploadId: UploadId, expectedBytes: number): Promise<Reception>
  /** Uploads that were committed and are not finished, oldest first. Clears what a crash left half received. */
  recover(): Promise<SpooledUpload[]>
}

export interface Reception {
  /** Streams one file to disk and hashes it on the way; durable after `commit`. */
  write(fileId: FileId, source: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number; sha256: string }>
  pathOf(fileId: FileId): string
  drop(fileId: FileId): Promise<void>
  /** The moment of acceptance: after it resolves the upload survives any crash. */
  commit(manifest: Manifest): Promise<SpooledUpload>
  /** Nothing of it stays behind. Harmless after `commit`. */
  discard(): Promise<void>
}

export interface SpooledUpload {
  readonly manifest: Manifest
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

/** Reads a container's header: what it is and how long it plays. Never decodes, never trusts a name or a client's type. */
export interface AudioProbe {
  probe(path: string): Promise<AudioFacts | NotAudio>
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
