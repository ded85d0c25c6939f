import type { Owner, VocabularyId } from '../ids.ts'
import type { WrittenTranscript } from '../edit/state.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import type { StoredVocabulary, VocabularyEntry } from './state.ts'

export interface VocabularyContent {
  readonly name: string
  readonly entries: readonly VocabularyEntry[]
}

export interface VocabularyPlace {
  readonly owner: Owner
  readonly id: VocabularyId
}

/** What becomes of a version: the next one. Throws what is wrong with it. */
export type ChangeVocabulary = (before: StoredVocabulary) => VocabularyContent

/** The words of a user. What belongs to another is as if it was not there. */
export interface Vocabularies {
  /** Terminal `conflict` when the user has as many as they may have. */
  create(owner: Owner, content: VocabularyContent): Promise<StoredVocabulary>
  /** The newest version of each, in the order in which they were made. */
  list(owner: Owner): Promise<readonly StoredVocabulary[]>
  /** Without a version the newest; nothing when it is not kept. */
  read(place: VocabularyPlace, version?: number): Promise<StoredVocabulary | undefined>
  /** Terminal `conflict` when `version` is not the newest any more; nothing when there is no such vocabulary. */
  change(place: VocabularyPlace, version: number, change: ChangeVocabulary): Promise<StoredVocabulary | undefined>
  /** False when there is no such vocabulary. */
  remove(place: VocabularyPlace): Promise<boolean>
}

/** The chunks in which these words may have been said and not recognised. `isRight`: a person has seen to that segment. Others are served meanwhile. */
export type DoubtfulChunks = (
  transcript: WrittenTranscript & Pick<StoredTranscript, 'chunks'>,
  entries: readonly VocabularyEntry[],
  isRight: (segment: number) => boolean,
) => Promise<number[]>
