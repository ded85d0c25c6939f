import test from 'ava'

import { reopenBatches } from '../../actors/batch/reopen.ts'
import { openKey } from '../../actors/batch/state.ts'
import type { BatchRecord, OpenBatch } from '../../actors/batch/state.ts'
import { abandonedBatch } from '../../actors/batch/withdrawn.ts'
import { aBatch, nowMs } from '../support/batch-builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

test('a batch that is not finished and has no open entry gets one, and no other does', async (t) => {
  const batches = memoryRecords<BatchRecord>()
  const open = memoryRecords<OpenBatch>()
  const forgotten = aBatch({ total: 1 })
  const known = aBatch({ total: 1 })
  const finished = aBatch({ total: 1, finishedAtMs: nowMs })
  for (const batch of [forgotten, known, finished, abandonedBatch(aBatch({ total: 1 }), nowMs)])
    await batches.create(batch.batchId, batch)
  await open.create(openKey(known), { owner: known.owner, batchId: known.batchId })

  t.is(await reopenBatches({ batches, open }), 1)
  t.deepEqual((await open.keys()).sort(), [openKey(forgotten), openKey(known)].sort())
  t.is(await reopenBatches({ batches, open }), 0)
})
