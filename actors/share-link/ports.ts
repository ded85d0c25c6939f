import type { RunRef } from '../ids.ts'
import type { RunState } from '../run/state.ts'
import type { ShareLink } from './state.ts'

interface MadeShareLink extends ShareLink {
  /** What opens it, shown once. */
  readonly text: string
}

export interface OpenedShareLink {
  readonly link: ShareLink
  readonly run: RunState
}

type SharedFile = Pick<RunRef, 'owner' | 'fileId'>

/** Links to transcripts, as their users see to them and as strangers come with them. */
export interface ShareLinks {
  /** Terminal `conflict` when the file has as many as it may have; nothing when the run was deleted. */
  make(run: RunState, wish: { readonly days: number; readonly withAudio: boolean }): Promise<MadeShareLink | undefined>
  /** Of all transcriptions of the file, the oldest first, without those that have ended. */
  listOf(file: SharedFile): Promise<readonly ShareLink[]>
  /** False when there is no such link. */
  revoke(file: SharedFile, linkId: string): Promise<boolean>
  /** Terminal `unauthenticated`, with the reason, when it opens nothing. */
  open(text: string): Promise<OpenedShareLink>
}

/** Secrets of links, and what is kept in place of them. */
export interface LinkMarks {
  newLinkId(): string
  newSecret(): Buffer
  markOf(content: string): string
  /** In a time that says nothing of how much of it is right. */
  isMark(content: string, mark: unknown): boolean
}
