import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

export interface RecordsClient {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** From `watchAway`; without it nobody is told early. */
  readonly isAway?: () => boolean
}
