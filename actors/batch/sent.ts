import type { DurableActor } from '../durable-actor.ts'
import type { Seen } from '../last-seen.ts'
import type { BatchListing } from '../listing/ports.ts'
import type { RunWork } from '../run/ports.ts'
import type { TranscribeSettings } from '../run/state.ts'
import type { SentRecords } from './ports.ts'
import type { BatchRecord, BatchState, OpenBatch } from './state.ts'

interface SentPorts {
  readonly batch?: Pick<DurableActor<OpenBatch, BatchRecord, never>, 'keep'>
  readonly batchListing: Pick<BatchListing, 'keepHead'>
}

export function keepSent(ports: SentPorts, { owner, batchId, sent }: RunWork): void {
  const { batch, listHead } = sent ?? {}
  if (batch && batch.value.owner === owner && batch.value.batchId === batchId) ports.batch?.keep(batch.value, batch)
  if (listHead) ports.batchListing.keepHead(owner, listHead)
}

/** Nothing where something in it is not known to be ours: what is added to a batch is not sent before it is named here. */
export function sendable(batch: Seen<BatchState>): Pick<SentRecords, 'batch'> {
  const isOurs = hasOnly(batch.value, ownFields) && hasOnly(batch.value.settings, ownSettings)
  return isOurs ? { batch } : {}
}

const ownFields: readonly (keyof BatchState)[] = [
  'batchId',
  'owner',
  'acceptedAtMs',
  'settings',
  'total',
  'estimatedSeconds',
  'issued',
  'started',
  'completed',
  'partial',
  'failed',
  'gone',
  'chunks',
  'settledSeconds',
  'settledEstimate',
  'fingerprint',
  'isUnmetered',
  'stretches',
  'retain',
  'retryOf',
  'ahead',
]
const ownSettings: readonly (keyof TranscribeSettings)[] = [
  'language',
  'profile',
  'script',
  'channels',
  'speakers',
  'vocabulary',
]

function hasOnly<Value extends object>(value: Value, fields: readonly (keyof Value)[]): boolean {
  const known = new Set<PropertyKey>(fields)
  return Object.keys(value).every((field) => known.has(field))
}
