/**
 * What a transcript was made of and with, written down when it was put together; it never changes, whatever is edited. The fields are the
 * wire's; hashes are sha256 in hex.
 */
export interface Receipt {
  readonly version: 1
  readonly file_id: string
  readonly batch_id: string
  readonly audio: AudioDigest
  /** What the client asked for. */
  readonly options: Readonly<Record<string, unknown>>
  readonly models: readonly ModelDigest[]
  readonly chunks: readonly ReceiptChunk[]
  readonly result: ResultDigests
}

export interface AudioDigest {
  readonly sha256: string
  readonly size_bytes: number
}

export interface ModelDigest {
  readonly id: string
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

export interface ReceiptChunk {
  readonly chunk_index: number
  readonly start: number
  readonly end: number
  readonly status: 'completed' | 'failed'
  readonly attempts: number
  /** Those that had a part in it. */
  readonly models?: readonly string[]
  readonly transcribed_at?: string
  /** Where it was transcribed again for some words: the transcription that the others are from, and whether any of these came. */
  readonly earlier?: { readonly transcribed_at: string; readonly attempts: number; readonly changed: boolean }
  /** Why it failed. */
  readonly code?: string
}

/** Of a result as it was transcribed: each field, and each segment without what is only told on request. */
export interface ResultDigests {
  readonly fields: Readonly<Record<string, string>>
  readonly segments: readonly string[]
}
