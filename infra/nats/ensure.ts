import { JetStreamApiError } from '@nats-io/jetstream'
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream'

import type { StreamPlan, Topology } from './topology.ts'

const streamNotFound = 10_059
const nameInUse = 10_058

/** A stream that differs from its plan was changed by someone: starting anyway could break what relies on the plan. */
export class TopologyDrift extends Error {
  override readonly name = 'TopologyDrift'
}

/** Creates what is missing, compares what is there, changes nothing that exists. */
export async function ensureTopology(manager: JetStreamManager, plan: Topology): Promise<void> {
  const differences: string[] = []
  for (const stream of plan.streams) differences.push(...compare(stream, await findOrCreate(manager, stream)))
  if (differences.length === 0) return
  throw new TopologyDrift(
    [
      'JetStream differs from what this version of Vaak expects:',
      ...differences.map((difference) => `  ${difference}`),
      'Change the stream back, or set the variable that decides it (NATS_REPLICAS, IDEMPOTENCY_HOURS).',
    ].join('\n'),
  )
}

async function findOrCreate(manager: JetStreamManager, plan: StreamPlan): Promise<StreamConfig> {
  const existing = await find(manager, plan.name)
  if (existing) return existing
  try {
    return (await manager.streams.add(plan)).config
  } catch (error) {
    // two processes started at once and the other one was first
    if (!hasCode(error, nameInUse)) throw error
    return (await manager.streams.info(plan.name)).config
  }
}

async function find(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config
  } catch (error) {
    if (hasCode(error, streamNotFound)) return undefined
    throw error
  }
}

function compare(plan: StreamPlan, found: StreamConfig): string[] {
  const actual = new Map<string, unknown>(Object.entries(found))
  return Object.entries(plan)
    .filter(([setting, wanted]) => JSON.stringify(wanted) !== JSON.stringify(actual.get(setting) ?? absent(wanted)))
    .map(
      ([setting, wanted]) =>
        `${plan.name}.${setting}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(actual.get(setting))}`,
    )
}

/** The server leaves out what is false, zero or empty. */
function absent(wanted: unknown): unknown {
  if (wanted === false || wanted === 0 || wanted === '') return wanted
  return undefined
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}
