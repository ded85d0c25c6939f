import { text } from 'node:stream/consumers'

import type { ChunkWork } from '../../../actors/chunk/protocol.ts'
import { batchWordsKey } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { BatchVocabulary, UsedVocabulary, VocabularyEntry } from '../../../actors/vocabulary/state.ts'
import type { ListenedVocabulary } from '../asr/recogniser.ts'
import { listenedAgainOf, listenedOf, spellingsIn } from '../vocabulary/spell.ts'
import type { WordSpellings } from '../vocabulary/spell.ts'
import { openStored } from './open-stored.ts'

interface Words {
  readonly listened: ListenedVocabulary
  readonly spellings: WordSpellings
  readonly sought?: readonly VocabularyEntry[]
}

/** Of so many batches they are kept: all chunks of a batch ask for the same, and workers have a few batches in hand. */
const mostKept = 4

/** The words of a batch, read once for many chunks. They never change, and nobody asks for those of a batch that is not theirs. */
export function openWords(
  blobs: Blobs,
): (work: Pick<ChunkWork, 'owner' | 'batchId'>, used: UsedVocabulary) => Promise<Words> {
  const kept = new Map<string, Words>()
  return async (work, { sha256 }) => {
    const key = `${work.owner}.${work.batchId}`
    const known = kept.get(key)
    if (known) return known
    const stored = await openStored(blobs, batchWordsKey(work), 'The words of the batch are no longer in storage.')
    // as: our own gateway stored it
    const { entries, sought } = JSON.parse(await text(stored)) as BatchVocabulary
    const words = {
      listened: sought ? listenedAgainOf(entries, { sha256, sought }) : listenedOf(entries, sha256),
      spellings: spellingsIn(entries),
      ...(sought && { sought: entries.filter((entry) => sought.includes(entry.text)) }),
    }
    kept.set(key, words)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return words
  }
}
