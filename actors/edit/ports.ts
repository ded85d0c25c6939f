import type { RunState } from '../run/state.ts'
import type { RedactionKind, Segment } from '../transcript/state.ts'
import type { EditRequest } from './protocol.ts'
import type { EditedTranscript, EditStanding, WrittenTranscript } from './state.ts'

/** What a transcript that is edited needs to know of languages and of writing. Pure. */
export interface Writing {
  /** Of each word of a sentence. */
  languagesOf(words: readonly string[], segmentLanguage: string): readonly string[]
  textOf(segment: Pick<Segment, 'words' | 'tags'>): string
  /** Without what is not to be read. Words and segments in which nothing is hidden stay the same objects. */
  redact(transcript: WrittenTranscript, kinds: readonly RedactionKind[]): WrittenTranscript
}

/** Transcripts as their users left them. */
export interface Editing {
  /** The newest version, or the one that is asked for; nothing when that is not kept any more, or never was. */
  read<Transcript extends WrittenTranscript>(
    run: RunState,
    transcript: Transcript,
    version?: number,
  ): Promise<EditedTranscript<Transcript> | undefined>
  /** Which segments their user wrote anew. */
  seenIn(run: RunState): Promise<(segment: number) => boolean>
  /** Stored when it resolves. Refuses with `conflict` who looked at another version; nothing when the run was deleted. */
  change(run: RunState, request: EditRequest): Promise<EditStanding | undefined>
}
