import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { Tracer } from '../../../actors/trace/ports.ts'
import type { WriteWatch } from '../connection/write-watch.ts'
import type { BrokerRole } from '../topology/roles.ts'

export interface RecordsClient {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** Whose permissions it keeps to, whether the broker insists or not; without one it is an operator's. */
  readonly role?: BrokerRole
  /** From `watchAway`; without it nobody is told early. */
  readonly isAway?: () => boolean
  /** Told of every write; without it nobody is. */
  readonly writes?: WriteWatch
  /** Told of every write that lost against another's; without it nobody is. */
  readonly conflicted?: (bucket: string) => void
  /** Told of what came from what; without it nobody is. */
  readonly tracer?: Tracer | undefined
}
