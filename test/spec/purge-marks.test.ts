import test from 'ava'

import { openKey } from '../../actors/batch/state.ts'
import type { OpenBatch } from '../../actors/batch/state.ts'
import { eraseMarks } from '../../actors/purge/marks.ts'
import { aRun } from '../support/batch-builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

test('a call that is owed once more, by who closed a batch after it was deleted, is forgotten with the deletion', async (t) => {
  const { owner, batchId } = aRun({ phase: 'queued' })
  const owedCalls = memoryRecords<OpenBatch>()
  await owedCalls.create(openKey({ owner, batchId }), { owner, batchId })
  const others = memoryRecords()
  const records = { files: others, uploads: others, runs: others, batches: others, webhooks: others, owedCalls }
  await eraseMarks(records, { owner, batchId, fileIds: [], isDone: true })
  t.deepEqual(await owedCalls.keys(), [])
})
