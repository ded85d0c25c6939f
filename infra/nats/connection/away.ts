import type { NatsConnection } from 'nats'

/**
 * Tells whether the connection is known to be broken. The client itself would keep a request until it times out, in case
 * the broker comes back; a caller is better served by hearing at once that it is away.
 */
export function watchAway(connection: NatsConnection): () => boolean {
  let away = false
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') away = true
      if (type === 'reconnect') away = false
    }
  })()
  return () => away || connection.isClosed()
}
