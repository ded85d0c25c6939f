import { setTimeout as pause } from 'node:timers/promises'

import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream'

import { away, isRetryable } from '../../../actors/failure.ts'
import { classify } from '../connection/classify.ts'
import type { ConsumerPlan } from './consumers.ts'
import { consumerDifferences, placeInBroker, streamDifferences } from './differences.ts'
import type { Difference } from './differences.ts'
import { ensureTopology, findConsumer, findStream, someAtOnce } from './ensure.ts'
import type { Topology } from './topology.ts'
import { untilAnswered } from './until-answered.ts'

/** What must be done so that a broker is as planned. */
export interface Migration {
  /** Made by the next start as well. */
  readonly missing: readonly string[]
  readonly changes: readonly Difference[]
  /** The broker changes these on nothing that exists. */
  readonly impossible: readonly Difference[]
  /** Of the version before, and empty. */
  readonly retired: readonly ConsumerPlan[]
}

const fixedInStreams = new Set(['retention', 'storage', 'deny_delete', 'allow_msg_ttl', 'allow_msg_schedules'])
const fixedInConsumers = new Set(['deliver_policy', 'replay_policy', 'ack_policy', 'max_waiting'])
/** A new copy reads all of a stream from another. */
const copiedWithinMs = 600_000
const lookAgainMs = 250

/** Changes nothing. */
export async function planMigration(manager: JetStreamManager, plan: Topology): Promise<Migration> {
  const missing: string[] = []
  const ofStreams = await someAtOnce(plan.streams, async (stream) => {
    const found = await findStream(manager, stream)
    if (!found) missing.push(stream.name)
    return found ? streamDifferences(stream, found.config) : []
  })
  const ofConsumers = await someAtOnce(plan.consumers, async (consumer) => {
    const found = await findConsumer(manager, consumer)
    if (!found) missing.push(placeInBroker({ stream: consumer.stream, consumer: consumer.name }))
    return found ? consumerDifferences(consumer, found.config) : []
  })
  const retired = await someAtOnce(plan.retired, async (consumer) => {
    const found = await findConsumer(manager, consumer)
    return found && found.num_pending + found.num_ack_pending === 0 ? [consumer] : []
  })
  const all = [...ofStreams, ...ofConsumers]
  return { missing, changes: all.filter(isPossible), impossible: all.filter((one) => !isPossible(one)), retired }
}

function isPossible({ consumer, setting }: Difference): boolean {
  return !(consumer === undefined ? fixedInStreams : fixedInConsumers).has(setting)
}

/**
 * Makes the changes one stream or consumer after another, and waits until each stream has all its copies: with several under way a
 * broker that dies meanwhile could leave more than one with too few. May be repeated. `tell` hears what was changed.
 */
export async function migrate(
  manager: JetStreamManager,
  { plan, migration }: { readonly plan: Topology; readonly migration: Migration },
  tell: (place: string) => void,
): Promise<void> {
  const places = new Map(migration.changes.map((change) => [placeInBroker(change), change]))
  for (const [place, { stream, consumer }] of places) {
    const changes = migration.changes.filter((change) => placeInBroker(change) === place)
    const settings = Object.fromEntries(changes.map(({ setting, wanted }) => [setting, wanted]))
    if (consumer === undefined) {
      await untilAnswered(() => manager.streams.update(stream, settings))
      await copied(manager, stream)
    } else await untilAnswered(() => manager.consumers.update(stream, consumer, settings))
    tell(place)
  }
  for (const { stream, name } of migration.retired) await manager.consumers.delete(stream, name)
  await ensureTopology(manager, plan)
}

async function copied(manager: JetStreamManager, stream: string): Promise<void> {
  for (const deadlineMs = performance.now() + copiedWithinMs; performance.now() < deadlineMs; await pause(lookAgainMs))
    if (await manager.streams.info(stream).then(isCopied, notAnswered)) return
  throw away(
    'broker_unavailable',
    `${stream} has not all its copies after ${copiedWithinMs / 1000} seconds. They are still being made; run this again.`,
  )
}

/** While it elects a leader, nobody knows. */
function notAnswered(error: unknown): false {
  if (!isRetryable(classify(error))) throw error
  return false
}

function isCopied({ config, cluster }: StreamInfo): boolean {
  const others = cluster?.replicas ?? []
  return others.length === config.num_replicas - 1 && others.every(({ current, offline }) => current && !offline)
}
