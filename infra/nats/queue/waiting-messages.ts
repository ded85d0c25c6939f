import type { JetStreamManager } from '@nats-io/jetstream'

import type { Clock } from '../../../actors/ports.ts'
import type { WorkStream } from '../topology/queue-names.ts'
import { chunkQueue, fileQueue, inquiryQueue, webhookQueue } from './work-kinds.ts'

/** What is in the queues of one kind of work, in hand or not. */
export interface WaitingMessages {
  readonly messages: number
  /** 0 when there are none. */
  readonly oldestSeconds: number
}

const queues: Readonly<Record<string, { readonly primary: WorkStream; readonly retries?: WorkStream }>> = {
  file: fileQueue,
  chunk: chunkQueue,
  webhook: webhookQueue,
  inquiry: inquiryQueue,
}

/** By kind of work. Asks the broker once for each stream: for who looks now and then. */
export async function waitingMessages(
  jsm: JetStreamManager,
  clock: Clock,
): Promise<Readonly<Record<string, WaitingMessages>>> {
  const found: Record<string, WaitingMessages> = {}
  for (const [kind, { primary, retries }] of Object.entries(queues)) {
    const streams = retries ? [primary, retries] : [primary]
    const states = await Promise.all(streams.map(async ({ name }) => (await jsm.streams.info(name)).state))
    const ages = states.flatMap(({ messages, first_ts: first }) =>
      messages > 0 ? (clock.nowMs() - Date.parse(first)) / 1000 : [],
    )
    found[kind] = {
      messages: states.reduce((sum, { messages }) => sum + messages, 0),
      oldestSeconds: Math.max(0, ...ages),
    }
  }
  return found
}
