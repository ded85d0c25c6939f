import type { IncomingMessage, ServerResponse } from 'node:http'

/** For a client that waits to be told that its body is wanted. Other expectations are nobody's promise, and passed over. */
export function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
}
