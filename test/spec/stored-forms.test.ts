import test from 'ava'

import { acceptedBatch, isWithdrawnBatch } from '../../actors/batch/state.ts'
import type { BatchRecord } from '../../actors/batch/state.ts'
import { abandonedBatch } from '../../actors/batch/withdrawn.ts'
import { isWithdrawn } from '../../actors/upload/state.ts'
import { aBatch, nowMs } from '../support/batch-builders.ts'
import { aBatchId, aFileId, anOwner, anUploadId } from '../support/builders.ts'

const owner = anOwner()

/** As it comes out of a record, whatever the types say. */
function read(value: unknown) {
  return JSON.parse(JSON.stringify(value))
}

test('a batch that was abandoned is known by its form, also as it was stored when that was a batch of no files', (t) => {
  const abandoned: BatchRecord = read(abandonedBatch({ owner, batchId: aBatchId() }, nowMs))
  const old: BatchRecord = read(aBatch({ total: 0, issued: 0, finishedAtMs: nowMs }))
  for (const batch of [abandoned, old]) {
    t.true(isWithdrawnBatch(batch))
    t.is(acceptedBatch(batch), undefined)
  }
  const accepted = aBatch({ total: 1 })
  t.is(acceptedBatch(accepted), accepted)
})

test('a batch that was abandoned is stored so that an older worker finds one that has ended', (t) => {
  const batch = aBatch({ total: 0, issued: 0, finishedAtMs: nowMs })
  const stored = Object.keys(abandonedBatch(batch, nowMs))
  for (const field of ['issued', 'started', 'completed', 'partial', 'failed', 'gone', 'chunks', 'finishedAtMs'])
    t.true(stored.includes(field), field)
})

test('an upload that was withdrawn is known by its form, also as it was stored with all the fields of an upload', (t) => {
  const uploadId = anUploadId()
  const rest = { acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: '' }
  t.true(isWithdrawn(read({ owner, uploadId, fileIds: [] })))
  t.true(isWithdrawn(read({ owner, uploadId, fileIds: [], ...rest })))
  t.false(isWithdrawn(read({ owner, uploadId, fileIds: [aFileId()], ...rest })))
})
