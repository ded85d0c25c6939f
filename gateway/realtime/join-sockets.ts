import type { Duplex } from 'node:stream'

interface JoinLimits {
  readonly silenceMs: number
  readonly lingerMs: number
}

/**
 * Bytes go both ways as fast as the slower side reads, and no more of them are kept than two sockets hold: a client that
 * does not read is seen by the server that writes to it. Where one side ends, the other is told, in the same way.
 */
export function joinSockets(client: Duplex, server: Duplex, limits: JoinLimits): void {
  // as: node's own are sockets, whatever its declarations of `upgrade` say
  const far = server as Duplex & { setTimeout(ms: number, tell: () => void): void }
  far.on('error', () => undefined)
  far.setTimeout(limits.silenceMs, () => far.destroy())
  client.pipe(far)
  far.pipe(client)
  client.once('close', () => endSoon(far, limits.lingerMs))
  far.once('close', () => endSoon(client, limits.lingerMs))
}

/** With what was written to it already, if it takes that. */
function endSoon(socket: Duplex, withinMs: number): void {
  const late = setTimeout(() => socket.destroy(), withinMs)
  socket.once('close', () => clearTimeout(late))
  socket.end(() => socket.destroy())
}
