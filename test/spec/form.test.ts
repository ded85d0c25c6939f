import test from 'ava'

import { abandonedBatch } from '../../actors/batch/withdrawn.ts'
import { firstForm, formOfBatch, formOfMembers, formOfRun, newestForm } from '../../actors/form.ts'
import { aBatch, aRun, nowMs } from '../support/batch-builders.ts'
import { aFileId } from '../support/builders.ts'

const plain = { script: 'mixed', channels: 'mix' } as const
const run = aRun({ phase: 'queued' })
const headers = { authorization: 'Bearer secret' }

test('what every version understands is of the first form', (t) => {
  t.is(formOfBatch(aBatch({ total: 1 })), firstForm)
  t.is(formOfBatch(aBatch({ total: 1, settings: { ...plain, hotwords: ['Vaak'], speakers: 2 } })), firstForm)
  t.is(formOfBatch(abandonedBatch(aBatch({ total: 1 }), nowMs)), firstForm)
  t.is(formOfRun(run), firstForm)
  t.is(formOfMembers({ files: [] }), firstForm)
})

test('what an older worker would leave out makes the batch, its files and their runs none of its business', (t) => {
  const redacted = { ...plain, redact: ['phone'] } as const
  t.is(formOfBatch(aBatch({ total: 1, settings: redacted })), newestForm)
  t.is(formOfBatch(aBatch({ total: 1, settings: { ...plain, channels: 'auto' } })), newestForm)
  t.is(formOfBatch(aBatch({ total: 1, callbackHeaders: headers })), newestForm)
  t.is(formOfRun({ ...run, settings: redacted }), newestForm)
  t.is(formOfRun({ ...run, settings: { ...plain, after: ['summary'] } }), newestForm)
  t.is(formOfRun({ ...run, part: { start: 1 } }), newestForm)
  t.is(formOfRun({ ...run, source: { type: 'url', url: 'https://example.org/a.wav', headers } }), newestForm)
  const member = { fileId: aFileId(), filename: 'a.wav', source: run.source, estimatedSeconds: 1 }
  t.is(formOfMembers({ files: [member, null] }), firstForm)
  t.is(formOfMembers({ files: [null, member, { ...member, part: { start: 1, end: 2 } }] }), newestForm)
})
