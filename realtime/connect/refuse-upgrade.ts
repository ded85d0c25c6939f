import type { HttpResponse } from 'uWebSockets.js'

import type { SessionEnding } from '../close.ts'

/** By a status, before there is a socket; must be corked unless it is called with the request. */
export function refuseUpgrade(response: HttpResponse, { status, type, code, message }: SessionEnding): void {
  response.writeStatus(String(status))
  response.writeHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ error: { type, code, message, param: null } }))
}
