import type { BatchListing } from '../listing/ports.ts'
import type { Blobs, Clock, Records } from '../ports.ts'
import { removeBatchQuestions } from '../inquiry/batch-questions.ts'
import { removeBatchWords } from '../vocabulary/batch-words.ts'
import { release } from './quota.ts'
import { isWithdrawnBatch, openKey } from './state.ts'
import type { BatchRecord, BatchState, Members, OpenBatch } from './state.ts'
import type { Quota } from '../quota/state.ts'
import { leaveOpen } from './waiting.ts'
import type { WaitingPorts } from './waiting.ts'
import { abandonedBatch } from './withdrawn.ts'

interface WithdrawBatchPorts extends WaitingPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly quotas: Records<Quota>
  readonly batchListing: BatchListing
  readonly blobs: Pick<Blobs, 'remove'>
  readonly clock: Clock
}

/**
 * Clears away what a submission left that did not come to its end. The place of its batch is taken first: when it was only
 * slow, one of the two is told that it exists already. Resolves with the batch when it was accepted after all. The open entry goes last:
 * while it is there the sweeper comes back for the rest.
 */
export async function withdrawBatch(ports: WithdrawBatchPorts, entry: OpenBatch): Promise<BatchState | undefined> {
  const { batchId } = entry
  const taken = await ports.batches.create(batchId, abandonedBatch(entry, ports.clock.nowMs()))
  const batch = taken === 'exists' ? (await ports.batches.read(batchId))?.value : undefined
  if (batch && !isWithdrawnBatch(batch)) return batch
  // who deletes it needs to know what it had, and clears it away
  if (batch?.isPurging) return undefined
  const pages = await ports.members.readUnder(batchId)
  await Promise.all([...pages.keys()].map((key) => ports.members.remove(key)))
  await ports.batchListing.remove(entry.owner, [batchId])
  // storage is asked only where it has something: who withdraws must not fail because it is away. When another has withdrawn it before, a
  // slow submission knows what it stored after that
  const { hasVocabulary, hasQuestions } = (await ports.open.read(openKey(entry)))?.value ?? entry
  if (hasVocabulary) await removeBatchWords(ports.blobs, entry)
  if (hasQuestions) await removeBatchQuestions(ports.blobs, entry)
  await release(ports.quotas, entry)
  await ports.batches.remove(batchId)
  await leaveOpen(ports, entry)
  return undefined
}
