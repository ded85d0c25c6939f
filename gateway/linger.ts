import type { IncomingMessage } from 'node:http'

export const lingerMs = 10_000

/**
 * A client that is refused while it still sends would lose the answer if the socket were closed at once. So the rest of
 * the body is read and forgotten for a while; then the socket is closed, however much is still to come.
 */
export function lingerAfterRefusal(request: IncomingMessage, forMs: number): void {
  if (request.complete || request.destroyed) return
  const { socket } = request
  const deadline = setTimeout(() => socket.destroy(), forMs)
  deadline.unref()
  const done = (): void => clearTimeout(deadline)
  request.once('end', done).once('close', done)
  request.resume()
}
