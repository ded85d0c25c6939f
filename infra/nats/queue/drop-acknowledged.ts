import { ask } from '../connection/ask.ts'
import type { RecordsClient } from '../records/client.ts'
import type { ConsumerPlan } from '../topology/consumers.ts'

/**
 * A broker that dies may remember that a message was acknowledged and still have it, since it writes the two at different times: nobody
 * is given it again, but whoever asks what waits is told of it. Such messages lie below what their consumer has had acknowledged
 * without a gap, and are deleted. Resolves with how many there were.
 */
export async function dropAcknowledged(client: RecordsClient, consumers: readonly ConsumerPlan[]): Promise<number> {
  let dropped = 0
  for (const stream of new Set(consumers.map((plan) => plan.stream))) {
    const { state } = await asked(client, () => client.jsm.streams.info(stream))
    if (state.messages === 0) continue
    for (const plan of consumers) if (plan.stream === stream) dropped += await dropOf(client, plan)
  }
  return dropped
}

async function dropOf(client: RecordsClient, { stream, name, config }: ConsumerPlan): Promise<number> {
  const { jsm } = client
  const filter = config.filter_subject!
  const { ack_floor: floor } = await asked(client, () => jsm.consumers.info(stream, name))
  const next = { next_by_subj: filter, seq: 1 }
  const first = await asked(client, () => jsm.streams.getMessage(stream, next))
  if (!first || first.seq > floor.stream_seq) return 0
  // nothing above the floor: what was not acknowledged is somebody's work
  return (await asked(client, () => jsm.streams.purge(stream, { filter, seq: floor.stream_seq + 1 }))).purged
}

function asked<Result>({ isAway = () => false }: RecordsClient, run: () => Promise<Result>): Promise<Result> {
  return ask(isAway, run)
}
