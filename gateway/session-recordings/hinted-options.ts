import { isVocabularyId } from '../../actors/ids.ts'
import type { Owner } from '../../actors/ids.ts'
import type { RecordingHints } from '../../actors/session-recording/ports.ts'
import { languageMeant } from '../../actors/transcript/state.ts'
import type { Vocabularies } from '../../actors/vocabulary/ports.ts'
import { hotword, hotwordsMax } from '../batches/schemas.ts'
import type { BatchRequest } from '../batches/schemas.ts'

/**
 * How a recording is to be transcribed by what its session was told. Sessions take more than batches do, and a vocabulary may be gone by now: what
 * a batch would refuse is left out, since nobody is there any more to be told.
 */
export async function optionsFrom(
  vocabularies: Pick<Vocabularies, 'read'>,
  owner: Owner,
  { language, keywords = [], vocabulary = '' }: RecordingHints,
): Promise<Pick<BatchRequest, 'language' | 'hotwords' | 'vocabulary'>> {
  const known = languageMeant(language)
  const hotwords = keywords.flatMap((word) => hotword.safeParse(word).data ?? []).slice(0, hotwordsMax)
  const isThere = isVocabularyId(vocabulary) && (await vocabularies.read({ owner, id: vocabulary })) !== undefined
  return {
    ...(known && { language: known }),
    ...(hotwords.length > 0 && { hotwords }),
    ...(isThere && { vocabulary }),
  }
}
