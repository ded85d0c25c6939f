import test from 'ava'
import type { ExecutionContext } from 'ava'

import { away, terminal } from '../../actors/failure.ts'
import { countDeadLetters, deadLetters } from '../../infra/nats/queue/dead-letters.ts'
import type { DeadLetter } from '../../infra/nats/queue/dead-letters.ts'
import { runWork } from '../../infra/nats/queue/run-work.ts'
import type { WorkerClient } from '../../infra/nats/queue/run-work.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { openReports } from '../../infra/nats/reports/reports.ts'
import { runReports } from '../../infra/nats/reports/run-reports.ts'
import { deadLetterStream, settledStream, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import { runVaak } from '../support/processes.ts'
import { aFileRef, aWorkerClient, chunkWorkOf, idOf, unwanted } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'

const ackWaitMs = 30_000
const options = { ackWaitMs, deadlineMs: 60_000, clock: systemClock, log: silentLog }
const tooLarge = terminal('too_large', 'This would make a record of 9 bytes, and 8 is the most that one may have.')

async function lettersOf(client: WorkerClient): Promise<DeadLetter[]> {
  const found: DeadLetter[] = []
  for await (const letter of deadLetters(client)) found.push(letter)
  return found
}

const messagesIn = async ({ jsm }: WorkerClient, stream: string): Promise<number> =>
  (await jsm.streams.info(stream)).state.messages

async function aClient(t: ExecutionContext) {
  const nats = await aNatsServer(t)
  const environment = {
    ...gatewayEnvironment(nats, { dataDir: nats.storeDir }),
    IDEMPOTENCY_HOURS: '1',
    ACK_WAIT_MS: String(ackWaitMs),
  }
  const command = (...args: readonly string[]) => runVaak(t, ['dead-letters', ...args], environment)
  return { client: await aWorkerClient(t, nats, { ackWaitMs }), command }
}

test('work that can never be done leaves its queue with the reason, who waits for it is told, and the command brings it back', async (t) => {
  const { client, command } = await aClient(t)
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  const [work] = chunkWorkOf(aFileRef(), 1)
  const [told, done]: [unknown[], unknown[]] = [[], []]
  let isMended = false
  const running = runWork({
    ...options,
    client,
    queue: chunkQueue,
    slots: 1,
    handle: async (delivered) => {
      if (!isMended) throw tooLarge
      done.push(delivered.work)
    },
    giveUp: async (given, error) => void told.push([given, error]),
  })
  t.teardown(() => running.drain(0))
  await queue.enqueue(work!, { id: idOf(work!), delayMs: 0, isRetry: false })
  await eventually('it left the queue', async () => (await messagesIn(client, workStreams.chunks.name)) === 0)
  t.deepEqual(told, [[work, tooLarge]])
  const [letter, ...others] = await lettersOf(client)
  t.deepEqual(others, [])
  t.like(letter, { stream: workStreams.chunks.name, deliveries: 1, reason: tooLarge.message })
  t.deepEqual(JSON.parse(letter!.text), { ...work, v: 1 })
  t.is((await client.jsm.streams.info(deadLetterStream.name)).state.consumer_count, 0)

  const listed = await command('list')
  t.is(listed.code, 0, listed.stderr)
  t.regex(
    listed.stdout,
    /^1 {2}\S+Z {2}asr_job_queue {2}asr\.chunk\.due-0\.\S+ {2}delivered 1 times {2}too_large: This would/,
  )
  t.is((await command('drop', '7')).code, 2)
  isMended = true
  t.is((await command('retry', '1')).stdout, '1 is back in asr_job_queue.\n')
  await eventually('it is done', () => done.length === 1)
  t.deepEqual(done, [work])
  t.is((await command('list')).stdout, 'There are no dead letters.\n')
})

test('what a report is about is told that it can never be heard of, those of others go on, and the command drops it', async (t) => {
  const { client, command } = await aClient(t)
  const reports = openReports(client)
  const [bad, good] = [aFileRef(), aFileRef()]
  const [told, heard]: [unknown[], unknown[]] = [[], []]
  const running = runReports({
    ...options,
    client,
    handle: async (group) => {
      if (group.to === 'file' && group.ref.fileId === bad.fileId) throw tooLarge
      heard.push(group)
    },
    giveUp: async (group, error) => void told.push([group.to === 'file' && group.ref, error]),
  })
  t.teardown(() => running.drain(0))
  for (const ref of [bad, good]) await reports.toFile(ref, { type: 'ChunkDone', chunk: 0, atMs: 1 }, ref.fileId)
  await eventually('nothing is left', async () => (await messagesIn(client, settledStream.name)) === 0)
  t.deepEqual(told, [[bad, tooLarge]])
  t.is(heard.length, 1)
  t.is(await countDeadLetters(client), 1)

  t.is((await command('drop', '1')).stdout, '1 is dropped.\n')
  t.is(await countDeadLetters(client), 0)
  t.is(await messagesIn(client, settledStream.name), 0)
})

test('an outage makes no dead letter, nor does one in which nobody can be told', async (t) => {
  const { client } = await aClient(t)
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  const [work] = chunkWorkOf(aFileRef(), 1)
  let deliveries = 0
  const gone = away('storage_unavailable', 'Storage is away.')
  const running = runWork({
    ...options,
    client,
    queue: chunkQueue,
    slots: 1,
    handle: async () => {
      deliveries += 1
      if (deliveries < 3) throw gone
    },
    giveUp: unwanted,
  })
  t.teardown(() => running.drain(0))
  await queue.enqueue(work!, { id: idOf(work!), delayMs: 0, isRetry: false })
  await eventually('it is done', async () => (await messagesIn(client, workStreams.chunks.name)) === 0)
  t.is(deliveries, 3)
  t.is(await countDeadLetters(client), 0)
})
