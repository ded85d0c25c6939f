import test from 'ava'

import { away, FailureError, retryable } from '../../actors/failure.ts'
import { runKey, transcriptKey } from '../../actors/ids.ts'
import type { InquiryRef } from '../../actors/ids.ts'
import { inquiriesFolder, openInquiryKey } from '../../actors/inquiry/keys.ts'
import { inquiryLimits } from '../../actors/inquiry/state.ts'
import { removeRunObjects } from '../../actors/run/remove-objects.ts'
import type { RunState } from '../../actors/run/state.ts'
import { nowMs } from '../support/batch-builders.ts'
import { answeredSummary, aHouseOfInquiries, inquiryStaleMs } from '../support/inquiry-house.ts'

const summary = { kind: 'summary', again: false } as const

test('what was asked is written from what was said, and then nothing of it is open', async (t) => {
  const { inquiries, run, sent, deliver, asked, openEntries } = await aHouseOfInquiries()
  t.like(await inquiries.ask(run, summary), { inquiryId: 'summary', kind: 'summary' })
  t.is((await openEntries.keys()).length, 1)
  t.is((await inquiries.listOf(run))[0]!.outcome, undefined)
  await deliver()
  t.deepEqual(asked, [
    { kind: 'summary', question: '', lines: [{ start: 0, end: 2, speaker: 'speaker-1', text: 'my dada came home.' }] },
  ])
  t.like((await inquiries.listOf(run))[0], {
    outcome: { status: 'completed', answer: answeredSummary, model: 'a-model', version: 0 },
  })
  t.deepEqual([await openEntries.keys(), sent], [[], []])
})

test('the same asked again is the same one, until it failed or is wanted again', async (t) => {
  const { inquiries, run, sent, deliver, answersWith, asked } = await aHouseOfInquiries()
  await inquiries.ask(run, summary)
  await inquiries.ask(run, summary)
  t.is(sent.length, 1)
  await deliver()
  t.truthy((await inquiries.ask(run, summary))!.outcome)
  t.is(sent.length, 0)
  t.is((await inquiries.ask(run, { ...summary, again: true }))!.outcome, undefined)
  answersWith(() => Promise.reject(new FailureError({ kind: 'terminal', code: 'remote_refused', detail: 'No.' })))
  await deliver()
  t.like((await inquiries.listOf(run))[0], { outcome: { status: 'failed', message: 'No.' } })
  t.is((await inquiries.ask(run, summary))!.outcome, undefined)
  t.is(asked.length, 2)
})

test('an endpoint that is away takes no attempt; what fails is tried again, and ends with a sentence', async (t) => {
  const { inquiries, run, sent, deliver, answersWith, openEntries } = await aHouseOfInquiries()
  await inquiries.ask(run, summary)
  answersWith(() => Promise.reject(away('chat_unavailable', 'It is not there.')))
  for (let deliveries = 0; deliveries < 5; deliveries += 1)
    await t.throwsAsync(deliver(), { message: /It is not there/ })
  t.like(sent, { length: 1, 0: { attempt: 1 } })
  answersWith(() => Promise.reject(retryable('remote_unavailable', 'It broke off.')))
  await deliver()
  t.like(sent, { length: 1, 0: { attempt: 2, delayMs: 5 } })
  await deliver()
  t.is(sent.length, 0)
  t.like((await inquiries.listOf(run))[0], { outcome: { status: 'failed', message: 'It broke off.' } })
  t.deepEqual(await openEntries.keys(), [])
})

test('what is deleted while it is written leaves nothing, and asks nobody', async (t) => {
  const { inquiries, run, runs, deliver, answersWith, storage, openEntries, asked } = await aHouseOfInquiries()
  await inquiries.ask(run, summary)
  answersWith(async () => {
    await runs.remove(runKey(run))
    await removeRunObjects(storage.blobs, run)
    return answeredSummary
  })
  await deliver()
  t.deepEqual([storage.keys(), await openEntries.keys()], [[], []])
  t.is(await inquiries.ask(run, { ...summary, again: true }), undefined)
  t.deepEqual([storage.keys(), await openEntries.keys(), asked.length], [[], [], 1])
})

test('a file that is deleted between two looks at it is no failure, and leaves nothing open', async (t) => {
  const { inquiries, run, runs, deliver, storage, openEntries, asked, sent } = await aHouseOfInquiries()
  await inquiries.ask(run, summary)
  const read = runs.read.bind(runs)
  Object.assign(runs, {
    read: async (key: string) => {
      const found = await read(key)
      await runs.remove(key)
      await storage.blobs.remove(transcriptKey(run))
      return found
    },
  })
  await deliver()
  t.deepEqual([await openEntries.keys(), asked, sent], [[], [], []])
  t.false(storage.keys().some((key) => key.endsWith('/outcome')))
})

test('an inquiry that is deleted while it is written stays deleted', async (t) => {
  const { inquiries, run, deliver, answersWith, storage } = await aHouseOfInquiries()
  await inquiries.ask(run, summary)
  answersWith(async () => {
    t.true(await inquiries.remove(run, (await inquiries.listOf(run))[0]!.inquiryId))
    return answeredSummary
  })
  await deliver()
  t.deepEqual(
    storage.keys().filter((key) => key.startsWith(inquiriesFolder(run))),
    [],
  )
  t.deepEqual(await inquiries.listOf(run), [])
})

test('a file has so many questions, and a user waits for so many answers', async (t) => {
  const { inquiries, run, deliver, sent } = await aHouseOfInquiries(3)
  const question = (at: number) => ({ kind: 'question', question: `Which is ${at}?`, again: false }) as const
  for (let at = 0; at < 3; at += 1) await inquiries.ask(run, question(at))
  t.deepEqual(
    sent.map(({ ahead }) => ahead),
    [0, 1, 2],
  )
  const error = await t.throwsAsync(inquiries.ask(run, question(3)), { instanceOf: FailureError })
  t.like(error.failure, { kind: 'retryable', code: 'quota_exceeded' })
  while (sent.length > 0) await deliver()
  for (let at = 3; at < inquiryLimits.questionsPerFile; at += 1) {
    await inquiries.ask(run, question(at))
    await deliver()
  }
  await t.throwsAsync(inquiries.ask(run, question(20)), { message: /20 questions, which is the limit/ })
  await t.notThrowsAsync(inquiries.ask(run, question(7)))
  await t.notThrowsAsync(inquiries.ask(run, summary))
})

test('a message that was lost is sent again, and what nobody waits for leaves', async (t) => {
  const { inquiries, run, runs, sent, sweeper, clock, deliver, openEntries, storage } = await aHouseOfInquiries()
  await inquiries.ask(run, summary)
  const sweep = async (): Promise<number> => {
    await sweeper.sweep()
    clock.advance(inquiryStaleMs + 1)
    return sweeper.sweep()
  }
  t.is(await sweep(), 0)
  sent.length = 0
  t.is(await sweep(), 1)
  t.is(sent.length, 1)
  await deliver()
  t.truthy((await inquiries.listOf(run))[0]!.outcome)
  // somebody died between the entry and what was asked, or before the entry was struck off
  const entry = { ...refOf(run), askedAtMs: nowMs }
  await openEntries.create(openInquiryKey(entry), entry)
  t.is(await sweep(), 0)
  t.deepEqual(await openEntries.keys(), [])
  await inquiries.ask(run, { ...summary, again: true })
  await runs.remove(runKey(run))
  await removeRunObjects(storage.blobs, run)
  t.is(await sweep(), 0)
  t.deepEqual(await openEntries.keys(), [])
})

function refOf({ owner, batchId, fileId, index }: RunState): InquiryRef {
  return { owner, batchId, fileId, index, inquiryId: 'chapters' as InquiryRef['inquiryId'] } // as: it is one
}
