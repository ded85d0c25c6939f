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
  t.is(formOfBatch(aBatch({ total: 1, settings: redacted })), 2)
  t.is(formOfBatch(aBatch({ total: 1, settings: { ...plain, channels: 'auto' } })), 2)
  t.is(formOfBatch(aBatch({ total: 1, callbackHeaders: headers })), 2)
  t.is(formOfRun({ ...run, settings: redacted }), 2)
  t.is(formOfRun({ ...run, part: { start: 1 } }), 2)
  t.is(formOfRun({ ...run, source: { type: 'url', url: 'https://example.org/a.wav', headers } }), 2)
  const member = { fileId: aFileId(), filename: 'a.wav', source: run.source, estimatedSeconds: 1 }
  t.is(formOfMembers({ files: [member, null] }), firstForm)
  t.is(formOfMembers({ files: [null, member, { ...member, part: { start: 1, end: 2 } }] }), 2)
})

test('what the version before this one would leave out is of the newest form, whatever else is asked for', (t) => {
  const settings = { ...plain, channels: 'auto', after: ['summary'] } as const
  t.is(formOfRun({ ...run, settings }), newestForm)
  t.is(formOfBatch(aBatch({ total: 1, settings, callbackHeaders: headers })), newestForm)
})
