import { createInbox } from 'nats'
import type { NatsConnection } from 'nats'

/** A subject for answers below the one that this connection may read: the client does so for its own questions only. */
export function newInbox(connection: NatsConnection): string {
  // as: the client keeps its settings there, and tells them in no other way
  const { options } = connection as NatsConnection & { readonly options?: { readonly inboxPrefix?: string } }
  return createInbox(options?.inboxPrefix)
}
