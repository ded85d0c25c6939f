import type { BatchId, Owner } from '../ids.ts'
import type { OwnRetention } from '../retention/state.ts'
import type { Metadata, TranscribeSettings } from '../run/state.ts'
import type { SecretHeaders } from '../secret-headers.ts'
import type { Member } from './state.ts'

/** What may be said to a batch. All of it may come late, twice or out of order. */
export type BatchCommand =
  | FileReport
  /** At the start, and from the sweeper: look what is owed. */
  | { readonly type: 'Wake' }

/** How far one of its files is; a later standing is never undone by an earlier one. */
export interface FileReport {
  readonly type: 'FileMoved'
  readonly index: number
  readonly standing: 'started' | 'completed' | 'partial' | 'failed' | 'gone'
  /** 0 while they are not known. */
  readonly chunks: number
  /** Of sound; 0 while that is not known, and of one that was deleted. */
  readonly seconds: number
  /** As its header tells. */
  readonly estimatedSeconds: number
  readonly atMs: number
}

/** What a batch owes. Each may be done twice. */
export type BatchEffect =
  /** Hand them to the workers; those that are in their hands already look after themselves. */
  | { readonly type: 'IssueFiles'; readonly indexes: readonly number[]; readonly isSaidAgain?: true }
  | { readonly type: 'ForgetMembers'; readonly indexes: readonly number[] }
  /** Its user sees in the list how it ended. */
  | { readonly type: 'List' }
  /** Whoever wanted to be told of the end is to be called. */
  | { readonly type: 'Announce' }
  /** Nothing is owed any more: it leaves the open set, and the user's quota. */
  | { readonly type: 'Close' }

/** What a submission asks for. */
export interface BatchOrder {
  readonly batchId: BatchId
  readonly owner: Owner
  readonly name?: string
  readonly metadata?: Metadata
  readonly settings: TranscribeSettings
  readonly members: readonly Member[]
  readonly fingerprint?: string
  readonly callbackUrl?: string
  readonly callbackHeaders?: SecretHeaders
  readonly retain?: OwnRetention
  readonly retryOf?: BatchId
  readonly vocabularyWords?: Uint8Array
  /** About each of its transcripts. */
  readonly questions?: readonly string[]
}
