import test from 'ava'

import { away, FailureError } from '../../actors/failure.ts'
import { runKey } from '../../actors/ids.ts'
import { storeBatchQuestions } from '../../actors/inquiry/batch-questions.ts'
import { inquiryRefOf } from '../../actors/inquiry/enter.ts'
import { inquiriesFolder } from '../../actors/inquiry/keys.ts'
import { aHouseOfInquiries, inquiryStaleMs } from '../support/inquiry-house.ts'

const wanted = { after: ['summary', 'question', 'question'] } as const

test('what a submission wants begins once, however often its file says that it is done', async (t) => {
  const { begin, inquiries, run, sent, deliver, storage, answersWith } = await aHouseOfInquiries()
  await storeBatchQuestions(storage.blobs, run, ['Who?', 'When?'])
  await begin(wanted)
  await begin(wanted)
  t.deepEqual((await inquiries.listOf(run)).map(({ kind, question }) => question ?? kind).toSorted(), [
    'When?',
    'Who?',
    'summary',
  ])
  t.is(sent.length, 3)
  answersWith(() => Promise.reject(new FailureError({ kind: 'terminal', code: 'remote_refused', detail: 'No.' })))
  for (let left = 3; left > 0; left -= 1) await deliver()
  t.true(await inquiries.remove(run, inquiryRefOf(run, { kind: 'summary' }).inquiryId))
  await begin(wanted)
  t.deepEqual([sent.length, (await inquiries.listOf(run)).length], [0, 2], 'one that failed, or is deleted, stays so')
})

test('what a crash kept from beginning begins when its file is looked at again, and the rest is not asked twice', async (t) => {
  const { begin, run, sent, storage, sweeper, clock } = await aHouseOfInquiries()
  await storeBatchQuestions(storage.blobs, run, ['Who?', 'When?'])
  let puts = 0
  const dies: typeof storage.blobs.put = async (...input) => {
    puts += 1
    if (puts === 2) throw away('storage_unavailable', 'gone')
    return storage.blobs.put(...input)
  }
  await t.throwsAsync(begin(wanted, { put: dies }))
  t.is(sent.length, 1)
  await begin(wanted)
  t.is(sent.length, 3)
  sent.length = 0
  await sweeper.sweep()
  clock.advance(inquiryStaleMs + 1)
  t.is(await sweeper.sweep(), 3, 'messages that are lost are found by their entries')
})

test('what came of what a submission wants stays when a slow worker begins it once more', async (t) => {
  const { begin, inquiries, run, sent, deliver, storage, openEntries } = await aHouseOfInquiries()
  const summary = { after: ['summary'] } as const
  let isFirst = true
  await begin(summary, {
    async open(key) {
      const found = await storage.blobs.open(key).catch((error: unknown) => error)
      if (isFirst) {
        isFirst = false
        await begin(summary)
        await deliver()
      }
      if (found instanceof Error) throw found
      return storage.blobs.open(key)
    },
  })
  t.is((await inquiries.listOf(run))[0]?.outcome?.status, 'completed')
  t.is(sent.length, 1)
  await deliver()
  t.is((await inquiries.listOf(run))[0]?.outcome?.status, 'completed')
  t.deepEqual(await openEntries.keys(), [])
})

test('what a submission wants keeps nobody from asking more, and nothing is left of it once the file is deleted', async (t) => {
  const { begin, inquiries, run, runs, storage, openEntries } = await aHouseOfInquiries(1)
  await storeBatchQuestions(storage.blobs, run, ['Who?', 'When?'])
  await begin(wanted)
  t.truthy(await inquiries.ask(run, { kind: 'chapters', again: false }))
  await t.throwsAsync(inquiries.ask(run, { kind: 'translation', again: false }), { message: /quota_exceeded/ })
  const other = await aHouseOfInquiries()
  await other.runs.remove(runKey(other.run))
  await other.begin({ after: ['summary'] })
  t.deepEqual([await other.openEntries.keys(), other.sent], [[], []])
  t.false(other.storage.keys().some((key) => key.startsWith(inquiriesFolder(other.run))))
  t.truthy(await runs.read(runKey(run)))
  t.is((await openEntries.keys()).length, 4)
})
