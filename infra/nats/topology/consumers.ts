import { AckPolicy, DeliverPolicy, ReplayPolicy } from '@nats-io/jetstream'
import type { ConsumerConfig } from '@nats-io/jetstream'

import { nanosPerMs } from '../connection/nanos.ts'
import {
  laneConsumer,
  laneCount,
  laneSubjects,
  levelConsumer,
  levelCount,
  levelSubjects,
  settledStream,
  shardConsumer,
  shardCount,
  shardSubject,
} from './queue-names.ts'
import type { WorkStream } from './queue-names.ts'

/** A durable pull consumer as data, written out as streams are. */
export interface ConsumerPlan {
  readonly stream: string
  readonly name: string
  readonly config: ConsumerSettings
}

type ConsumerSettings = Pick<
  ConsumerConfig,
  | 'durable_name'
  | 'description'
  | 'filter_subject'
  | 'deliver_policy'
  | 'replay_policy'
  | 'ack_policy'
  | 'ack_wait'
  | 'max_deliver'
  | 'backoff'
  | 'max_ack_pending'
  | 'max_waiting'
> &
  Partial<Pick<ConsumerConfig, 'priority_groups' | 'priority_policy' | 'priority_timeout'>>

/** More than all workers together have in hand. */
const inHandMax = 65_536
const waitingPullsMax = 512

/** Filters of a work queue may not overlap: each message has one level. */
export function levelPlans(stream: WorkStream, ackWaitMs: number): ConsumerPlan[] {
  return Array.from({ length: levelCount }, (_, level) =>
    durable({
      stream: stream.name,
      name: levelConsumer(level),
      filter: levelSubjects(stream, level),
      description: 'Work of users who have about as much of their own before it.',
      ackWaitMs,
    }),
  )
}

/** Those of the version before, as it makes them. They are made where work of that version is found, and nowhere else. */
export function lanePlans(stream: WorkStream, ackWaitMs: number): ConsumerPlan[] {
  return Array.from({ length: laneCount }, (_, lane) =>
    durable({
      stream: stream.name,
      name: laneConsumer(lane),
      filter: laneSubjects(stream, lane),
      description: 'Work of the users of one lane.',
      ackWaitMs,
    }),
  )
}

/** Who asks a shard under this name for the first time has it, until it does not ask for a while. */
export const shardOwner = 'owner'

/** Who has not asked for so long has it no more. What it had in hand comes to the next after an ack wait. */
export function ownedForMs(ackWaitMs: number): number {
  return Math.round(ackWaitMs / 3)
}

export function shardPlans(ackWaitMs: number): ConsumerPlan[] {
  return Array.from({ length: shardCount }, (_, shard) => {
    const plan = durable({
      stream: settledStream.name,
      name: shardConsumer(shard),
      filter: shardSubject(shard),
      description: 'Reports about the files and batches of one shard.',
      ackWaitMs,
    })
    const owned = {
      priority_groups: [shardOwner],
      priority_policy: 'pinned_client' as const,
      priority_timeout: ownedForMs(ackWaitMs) * nanosPerMs,
    }
    return { ...plan, config: { ...plan.config, ...owned } }
  })
}

interface Durable {
  readonly stream: string
  readonly name: string
  readonly filter: string
  readonly description: string
  readonly ackWaitMs: number
}

function durable({ stream, name, filter, description, ackWaitMs }: Durable): ConsumerPlan {
  return {
    stream,
    name,
    config: {
      durable_name: name,
      description,
      filter_subject: filter,
      deliver_policy: DeliverPolicy.All,
      replay_policy: ReplayPolicy.Instant,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWaitMs * nanosPerMs,
      // attempts are counted by us: what the server gives up on stays in the stream and is told to nobody (T5)
      max_deliver: -1,
      // would replace the ack wait (T9)
      backoff: [],
      max_ack_pending: inHandMax,
      max_waiting: waitingPullsMax,
    },
  }
}
