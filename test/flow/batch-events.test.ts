import test from 'ava'

import { openClient } from '../../infra/client/client.ts'
import { batchService } from '../support/batch-service.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { allEvents, eventsIn } from '../support/server-events.ts'

const service = batchService(test, { EVENTS_MAX_PER_USER: '2' })

const watch = (
  at: { url: string; token: string },
  batchId: string,
  more: { last?: string; signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(`${at.url}/transcribe/events/batch/${batchId}`, {
    headers: { Authorization: `Bearer ${at.token}`, ...(more.last !== undefined && { 'Last-Event-ID': more.last }) },
    ...(more.signal && { signal: more.signal }),
  })

test('a batch that is watched tells of each file as it moves on, and ends the stream when it ends', async (t) => {
  const nats = await startTestNats()
  t.teardown(() => nats.stop())
  const { api, gateway, submit, addWorker } = await aPipeline(t, nats)
  const batch = await submit([
    { name: 'one.wav', content: aScriptedRecording(scriptedSeconds(3)) },
    { name: 'two.wav', content: aScriptedRecording(scriptedSeconds(2, 50)) },
  ])
  const client = openClient({ url: api.url, token: await gateway.tokenOf('asha') })
  const response = await client.open('watchBatch', { params: { batch_id: batch.batchId } })
  t.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  await addWorker()
  const events = await allEvents(response)
  const outcomes = events.filter(({ event, data }) => event === 'file' && data.status === 'completed')
  const said = outcomes.map(({ data }) => `${data.filename}: ${data.completed_chunks} of ${data.total_chunks}`)
  t.deepEqual(said.sort(), ['one.wav: 3 of 3', 'two.wav: 2 of 2'])
  t.like(events.at(-1), { event: 'end', id: 'end', data: { status: 'completed', files_completed: 2 } })
  t.like(events.at(-2), { event: 'status', id: '2' })
})

test('who comes back is told what was missed, and nothing twice', async (t) => {
  const { owner, token } = await service.user(t)
  const records = await service.records()
  const stages = ['completed', 'failed', 'running', 'completed'] as const
  const { batch, refs } = await records.layOut(
    owner,
    stages.map((stage) => ({ stage })),
  )
  const at = { url: service.shared.url, token }
  const cut = new AbortController()
  let last: string | undefined
  const first: string[] = []
  for await (const { event, id, data } of eventsIn(await watch(at, batch.batchId, { signal: cut.signal }))) {
    if (event === 'file') first.push(data.file_id)
    last = id
    if (id !== undefined) break
  }
  t.deepEqual(first, [refs[0]!.fileId, refs[1]!.fileId, refs[3]!.fileId, refs[2]!.fileId])
  const stored = await records.batches.read(batch.batchId)
  const done = await records.layOut(owner, [{ stage: 'completed' }])
  await records.batches.replace(
    batch.batchId,
    { ...stored!.value, partial: done.batch.completed, finishedAtMs: 1 },
    stored!.revision,
  )
  const rest = await allEvents(await watch(at, batch.batchId, { last: last! }))
  t.deepEqual(
    rest.map(({ event }) => event),
    ['file', 'status', 'end'],
  )
  t.is((await watch(at, batch.batchId, { last: 'end' })).status, 204)
})

test('a stream follows what is written, and others’ batches are none', async (t) => {
  const { owner, token } = await service.user(t)
  const records = await service.records()
  const { batch } = await records.layOut(owner, [{ stage: 'running' }])
  const at = { url: service.shared.url, token }
  const events = eventsIn(await watch(at, batch.batchId))
  t.like((await events.next()).value, { event: 'file', data: { status: 'processing' } })
  t.like((await events.next()).value, { event: 'status', data: { status: 'processing' } })
  const stored = await records.batches.read(batch.batchId)
  await records.batches.replace(
    batch.batchId,
    { ...stored!.value, gone: batch.started, finishedAtMs: 1 },
    stored!.revision,
  )
  t.like((await events.next()).value, { event: 'status', id: '1' })
  t.like((await events.next()).value, { event: 'end' })
  t.true((await events.next()).done)
  const other = await service.user(t)
  t.is((await watch({ ...at, token: other.token }, batch.batchId)).status, 404)
  t.is((await watch(at, batch.batchId, { last: 'nonsense' })).status, 400)
})

test('a user has a bounded number of streams, and gets a place back when one is closed', async (t) => {
  const { owner, token } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'running' }])
  const at = { url: service.shared.url, token }
  const closing = new AbortController()
  t.is((await watch(at, batch.batchId, { signal: closing.signal })).status, 200)
  const second = await watch(at, batch.batchId)
  const refused = await watch(at, batch.batchId)
  t.is(refused.status, 429)
  t.regex(((await refused.json()) as { detail: string }).detail, /2 event streams open, and the limit is 2/)
  closing.abort()
  await eventually('there is a place again', async () => {
    const again = await watch(at, batch.batchId)
    await again.body?.cancel()
    return again.status === 200
  })
  await second.body?.cancel()
})
