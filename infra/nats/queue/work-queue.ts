import type { BatchWork, Clock, WorkQueue } from '../../../actors/ports.ts'
import { ask } from '../connection/ask.ts'
import { versioned } from '../connection/form.ts'
import { openBrokerClock } from '../connection/broker-clock.ts'
import type { RecordsClient } from '../records/client.ts'
import { leaderInfo } from '../topology/leader-info.ts'
import { dueSubject, indexIn, laterSubject, levelOf, subjectsOf, tailOf } from '../topology/queue-names.ts'
import type { WorkRef, WorkStream } from '../topology/queue-names.ts'
import { publish } from './publish.ts'
import type { WorkKind } from './work-kinds.ts'

interface WorkQueueOptions<Work extends WorkRef> {
  readonly queue: WorkKind<Work>
  /** Whether retries go to a stream of their own. */
  readonly isSeparate: boolean
  readonly clock: Clock
}

export async function openWorkQueue<Work extends WorkRef>(
  client: RecordsClient,
  { queue, isSeparate, clock }: WorkQueueOptions<Work>,
): Promise<WorkQueue<Work> & BatchWork> {
  const { jsm, isAway = () => false } = client
  const brokerTime = await openBrokerClock({ jsm, isAway, stream: queue.primary.name, clock })

  const read = async (stream: WorkStream, ref: WorkRef): Promise<string[]> => {
    const request = { subjects_filter: subjectsOf(stream, ref) }
    // what a copy that is behind does not know of would be taken for lost, and enqueued again (T10)
    const { state } = await leaderInfo(() => ask(isAway, () => jsm.streams.info(stream.name, request)))
    return Object.keys(state.subjects ?? {}).map((subject) => tailOf(stream, ref, subject))
  }
  /** In this order: a retry is enqueued before what failed is acknowledged, so that one of them is seen. */
  const tailsOf = async (ref: WorkRef): Promise<Set<string>> => {
    const primary = await read(queue.primary, ref)
    const retries = queue.retries ? await read(queue.retries, ref) : []
    return new Set([...primary, ...retries])
  }
  return {
    async enqueue(work, { id, delayMs, isRetry, ahead = 0 }) {
      // as the other side reads it: what it would not understand must not leave, and what it does not need stays here
      const body = queue.parse(work)
      if (!body) throw new Error('this is not work that a worker would understand')
      const text = versioned(body)
      const stream = (isRetry && isSeparate ? queue.retries : undefined) ?? queue.primary
      const tail = queue.tailOf(work)
      const due = dueSubject(stream, work, { level: levelOf(ahead), tail })
      if (delayMs <= 0) return publish(client, { stream: stream.name, subject: due, text, id })
      const later = { at: new Date((await brokerTime()) + delayMs), target: due }
      await publish(client, { stream: stream.name, subject: laterSubject(stream, work, tail), text, id, later })
    },
    async outstanding(ref) {
      return [...(await tailsOf(ref))].flatMap((tail) => queue.fromTail(ref, tail) ?? [])
    },
    async filesWithWork(batch) {
      return new Set([...(await tailsOf(batch))].map(indexIn))
    },
  }
}
