import type { Config } from '../../config/config.ts'
import { topology } from './topology.ts'
import type { Topology } from './topology.ts'

/** What the settings ask for. */
export function plannedTopology({ natsReplicas: replicas, idempotencyHours, ackWaitMs, auditDays }: Config): Topology {
  return topology({ replicas, idempotencyHours, ackWaitMs, auditDays })
}
