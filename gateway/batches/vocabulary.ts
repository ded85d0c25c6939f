import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { Owner, VocabularyId } from '../../actors/ids.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import type { Vocabularies } from '../../actors/vocabulary/ports.ts'
import type { BatchVocabulary, StoredVocabulary, UsedVocabulary } from '../../actors/vocabulary/state.ts'
import { idText, vocabularyIdField } from '../wire.ts'

/** How a submission names its user's words, and is told which they were. */

export const vocabularyField = vocabularyIdField
  .optional()
  .describe(
    'The id of a vocabulary of yours, whose words are listened for and spelt as it says. Its newest version is used, whatever becomes of it later.',
  )

export const usedVocabulary = z
  .strictObject({
    vocabulary_id: idText,
    version: z.int(),
    sha256: z.string().describe('Of its entries; also in the receipt.'),
  })
  .meta({ id: 'UsedVocabulary' })

interface ChosenVocabulary {
  readonly settings: Pick<TranscribeSettings, 'vocabulary'>
  /** As they are kept with the batch. */
  readonly words: Uint8Array
}

export async function vocabularyOf(
  vocabularies: Pick<Vocabularies, 'read'>,
  owner: Owner,
  id: VocabularyId | undefined,
): Promise<ChosenVocabulary | undefined> {
  if (id === undefined) return undefined
  const found = await vocabularies.read({ owner, id })
  if (!found) throw terminal('not_found', { message: 'You have no vocabulary with this id.', vocabulary: id })
  return wordsOf(found)
}

/** With `sought`, whoever transcribes again takes nothing but these from it. */
export function wordsOf(
  { id, version, sha256, entries }: StoredVocabulary,
  sought?: readonly string[],
): ChosenVocabulary {
  const kept: BatchVocabulary = { id, version, sha256, entries, ...(sought && { sought }) }
  return { settings: { vocabulary: { id, version, sha256 } }, words: Buffer.from(JSON.stringify(kept)) }
}

export function presentUsedVocabulary({ id, version, sha256 }: UsedVocabulary) {
  return { vocabulary: { vocabulary_id: id, version, sha256 } }
}
