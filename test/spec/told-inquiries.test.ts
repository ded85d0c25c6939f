import test from 'ava'

import { FailureError, retryable } from '../../actors/failure.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { openInquiryKey } from '../../actors/inquiry/keys.ts'
import { inquiryRefOf } from '../../actors/inquiry/enter.ts'
import { aBatch } from '../support/batch-builders.ts'
import { aHouseOfInquiries, inquiryStaleMs } from '../support/inquiry-house.ts'

/** What came of inquiries is told to the address of their batch. */

const summary = { kind: 'summary', again: false } as const
const url = 'https://example.org/done'

async function aHouse(batch: Partial<BatchState> = { callbackUrl: url, callbackHeaders: { 'x-desk': '7' } }) {
  const house = await aHouseOfInquiries(1)
  const { batchId, owner } = house.run
  await house.batches.create(batchId, aBatch({ total: 1, metadata: { ticket: 'A-17' }, ...batch, batchId, owner }))
  return house
}

const bodiesOf = ({ calls }: Awaited<ReturnType<typeof aHouse>>) => calls.map(({ body }) => JSON.parse(body))

test('an outcome is told once, without what was written, and then nothing of it is open', async (t) => {
  const house = await aHouse()
  const { inquiries, run, sent, deliver, calls, openEntries } = house
  await inquiries.ask(run, summary)
  await deliver()
  t.deepEqual(calls, [], 'a call is a piece of work of its own')
  t.like(sent, [{ inquiryId: 'summary', call: 1 }])
  t.truthy(await inquiries.ask(run, { kind: 'chapters', again: false }), 'one that is only to be told keeps nobody out')
  await deliver()
  const { batchId, fileId, owner } = run
  t.like(calls, [{ url, owner, headers: { 'x-desk': '7' } }])
  const [body] = bodiesOf(house)
  t.deepEqual(body.data, {
    batch_id: batchId,
    file_id: fileId,
    inquiry_id: 'summary',
    type: 'summary',
    status: 'completed',
    metadata: { ticket: 'A-17' },
  })
  t.like(body, { type: 'inquiry.finished', id: calls[0]!.id })
  t.false(calls[0]!.body.includes('All is well'))
  t.deepEqual(await openEntries.keys(), [openInquiryKey(inquiryRefOf(run, { kind: 'chapters' }))])
})

test('one that was asked with an address of its own is told there, and not to the batch’s', async (t) => {
  for (const batch of [undefined, {}]) {
    const house = await aHouse(batch)
    const callback = { url: 'https://example.org/mine', headers: { 'x-desk': '8' } }
    await house.inquiries.ask(house.run, { ...summary, callback })
    await house.deliver()
    await house.deliver()
    t.like(house.calls, [callback])
    t.deepEqual([house.calls.length, await house.openEntries.keys()], [1, []])
    t.like(bodiesOf(house), [{ data: { metadata: { ticket: 'A-17' } } }])
  }
})

test('who asks with an address for what is waited for is called, and who asks for what is there is not', async (t) => {
  const house = await aHouse({})
  await house.inquiries.ask(house.run, summary)
  const callback = { url: 'https://example.org/mine' }
  const again = await house.inquiries.ask(house.run, { ...summary, callback })
  t.is(again?.outcome, undefined)
  await house.deliver()
  t.truthy((await house.inquiries.ask(house.run, { ...summary, callback: { url } }))?.outcome)
  await house.deliver()
  t.like(house.calls, [callback])
  t.deepEqual([house.calls.length, house.sent.length], [1, 0])
})

test('one that failed is told too', async (t) => {
  const house = await aHouse()
  house.answersWith(() =>
    Promise.reject(new FailureError({ kind: 'terminal', code: 'remote_refused', detail: 'In confidence.' })),
  )
  await house.inquiries.ask(house.run, summary)
  await house.deliver()
  await house.deliver()
  t.like(bodiesOf(house), [{ data: { status: 'failed' } }])
  t.false(house.calls[0]!.body.includes('confidence'))
})

test('a call that is not taken is made again with the same id, until its attempts are over', async (t) => {
  const { inquiries, run, sent, deliver, calls, openEntries, receiverAnswers } = await aHouse()
  receiverAnswers(() => Promise.reject(retryable('overloaded', 'Not now.')))
  await inquiries.ask(run, summary)
  await deliver()
  for (const call of [1, 2, 3]) {
    t.like(sent, [{ call, delayMs: call === 1 ? 0 : 7 }])
    await deliver()
  }
  t.is(new Set(calls.map(({ id }) => id)).size, 1)
  t.deepEqual([calls.length, sent.length, await openEntries.keys()], [3, 0, []])
})

test('who asks again before they have taken the call is called again', async (t) => {
  for (const answer of ['taken', 'refused'] as const) {
    const house = await aHouse()
    const { inquiries, run, deliver, calls, openEntries, receiverAnswers } = house
    await inquiries.ask(run, summary)
    await deliver()
    receiverAnswers(async () => {
      receiverAnswers(async () => ({ status: 204 }))
      await inquiries.ask(run, { ...summary, again: true })
      if (answer === 'taken') return { status: 204 }
      throw new FailureError({ kind: 'terminal', code: 'remote_refused', detail: 'Never.' })
    })
    await deliver()
    t.is((await openEntries.keys()).length, 1, 'it is waited for, and found should its message be lost')
    await t.throwsAsync(inquiries.ask(run, { kind: 'chapters', again: false }), { message: /limit/ }, 'and it counts')
    await deliver()
    await deliver()
    t.deepEqual([calls.length, await openEntries.keys()], [2, []], answer)
  }
})

test('who dies between the outcome and the call, or loses its message, is followed by another who tells it', async (t) => {
  const { inquiries, run, sent, deliver, calls, sweeper, clock, asked, worker } = await aHouse()
  await inquiries.ask(run, summary)
  const [{ id: _, delayMs: __, isRetry: ___, ahead: ____, ...first }] = sent as [(typeof sent)[number]]
  const delivery = { work: first, deliveries: 1, signal: new AbortController().signal }
  await worker.run(delivery)
  // its message comes again: the outcome is there, and the call is the same one
  await worker.run(delivery)
  t.is(asked.length, 1)
  t.is(sent.filter(({ call }) => call === 1).length, 1)
  sent.length = 0
  await sweeper.sweep()
  clock.advance(inquiryStaleMs + 1)
  t.is(await sweeper.sweep(), 1)
  await deliver()
  t.is(calls.length, 1)
  await worker.run(delivery)
  t.deepEqual(sent, [], 'what was told is not told again')
})

test('nobody is called where nobody asked for it, or the batch is gone', async (t) => {
  const silent = await aHouse({})
  await silent.inquiries.ask(silent.run, summary)
  await silent.deliver()
  t.deepEqual([silent.sent, await silent.openEntries.keys()], [[], []])
  const gone = await aHouse()
  await gone.inquiries.ask(gone.run, summary)
  await gone.deliver()
  await gone.batches.remove(gone.run.batchId)
  await gone.deliver()
  t.deepEqual([gone.calls, await gone.openEntries.keys()], [[], []])
})
