import type { IncomingMessage } from 'node:http'

const lingerMs = 10_000

/**
 * A client that is refused while it still sends would lose the answer if the socket were closed at once. Node goes on
 * reading and forgetting the rest of the body; this ends that after a while.
 */
export function lingerAfterRefusal(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const deadline = setTimeout(() => request.socket.destroy(), lingerMs)
  deadline.unref()
  const done = (): void => clearTimeout(deadline)
  request.once('end', done).once('close', done)
}
