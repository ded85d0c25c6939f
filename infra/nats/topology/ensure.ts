import { JetStreamApiError } from '@nats-io/jetstream'
import type { ConsumerConfig, ConsumerInfo, JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream'

import { ask } from '../connection/ask.ts'
import { isNotAllowed } from '../connection/classify.ts'
import type { ConsumerPlan } from './consumers.ts'
import { consumerDifferences, placeInBroker, streamDifferences } from './differences.ts'
import type { Difference } from './differences.ts'
import type { StreamPlan } from './stream-plan.ts'
import type { Topology } from './topology.ts'
import { untilAnswered } from './until-answered.ts'

const streamNotFound = 10_059
const nameInUse = 10_058
const consumerNotFound = 10_014
const atOnce = 8
/** A wrong ACK_WAIT_MS alone differs in every consumer. */
const shownMax = 12
const consumerInUse = new Set([10_013, 10_105, 10_148])

/** What differs from its plan was changed by someone: starting anyway could break what relies on the plan. */
export class TopologyDrift extends Error {
  override readonly name = 'TopologyDrift'
}

/** Creates what is missing, compares what is there, changes nothing that exists. */
export async function ensureTopology(
  manager: JetStreamManager,
  plan: Pick<Topology, 'streams' | 'consumers'>,
): Promise<void> {
  const ofStreams = await someAtOnce(plan.streams, async (stream) =>
    streamDifferences(stream, await untilAnswered(() => findOrCreate(manager, stream))),
  )
  const ofConsumers = await someAtOnce(plan.consumers, async (consumer) =>
    consumerDifferences(consumer, await ensureConsumer(manager, consumer)),
  )
  const differences = [...ofStreams, ...ofConsumers]
  if (differences.length === 0) return
  throw new TopologyDrift(
    [
      'JetStream differs from what this version of Vaak expects:',
      ...differences.slice(0, shownMax).map((difference) => `  ${inWords(difference)}`),
      ...(differences.length > shownMax ? [`  and ${differences.length - shownMax} more`] : []),
      'Change it back, or set the variable that decides it: NATS_REPLICAS (num_replicas), ' +
        'IDEMPOTENCY_HOURS or AUDIT_DAYS (max_age), ACK_WAIT_MS (ack_wait). Or make the broker as expected: "vaak migrate" shows how.',
    ].join('\n'),
  )
}

/** Creates it when it is missing and only then: to create what is there has destroyed its state (T16). */
export function ensureConsumer(manager: JetStreamManager, plan: ConsumerPlan): Promise<ConsumerConfig> {
  return untilAnswered(() => findOrCreateConsumer(manager, plan))
}

async function findOrCreateConsumer(manager: JetStreamManager, plan: ConsumerPlan): Promise<ConsumerConfig> {
  const existing = await findConsumer(manager, plan)
  if (existing) return existing.config
  try {
    return (await manager.consumers.add(plan.stream, plan.config)).config
  } catch (error) {
    if (!(error instanceof JetStreamApiError && consumerInUse.has(error.code))) throw error
    return (await manager.consumers.info(plan.stream, plan.name)).config
  }
}

async function findOrCreate(manager: JetStreamManager, plan: StreamPlan): Promise<StreamConfig> {
  const existing = await findStream(manager, plan)
  if (existing) return existing.config
  try {
    return (await manager.streams.add(plan)).config
  } catch (error) {
    if (isNotAllowed(error))
      throw new TopologyDrift(
        `The stream ${plan.name} is missing, and this user of NATS may not make it. As one who may: "vaak migrate --yes".`,
      )
    // two processes started at once and the other one was first
    if (!hasCode(error, nameInUse)) throw error
    return (await manager.streams.info(plan.name)).config
  }
}

function inWords(difference: Difference): string {
  const { setting, wanted, found } = difference
  return `${placeInBroker(difference)}.${setting}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`
}

/** On a cluster each of them elects a leader first, which is mostly waiting. */
export async function someAtOnce<Plan, Found>(
  plans: readonly Plan[],
  ensure: (plan: Plan) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let from = 0; from < plans.length; from += atOnce)
    found.push(...(await Promise.all(plans.slice(from, from + atOnce).map(ensure))).flat())
  return found
}

export function findStream(manager: JetStreamManager, { name }: StreamPlan): Promise<StreamInfo | undefined> {
  return orNothing([streamNotFound], () => manager.streams.info(name))
}

/** Nothing either while its stream is missing. */
export async function findConsumer(
  manager: JetStreamManager,
  { stream, name }: ConsumerPlan,
): Promise<ConsumerInfo | undefined> {
  const missing = [consumerNotFound, streamNotFound]
  return orNothing(missing, () => manager.consumers.info(stream, name))
}

/** Who asks while a leader is elected is never answered, and who asks again soon is: a look is given up long before a change. */
async function orNothing<Found>(notFound: readonly number[], look: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await untilAnswered(() => ask(() => false, look))
  } catch (error) {
    if (notFound.some((code) => hasCode(error, code))) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}
