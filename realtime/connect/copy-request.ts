import type { HttpRequest } from 'uWebSockets.js'

import type { UpgradeRequest } from './request.ts'

/** Before the first `await`: uWebSockets takes a request back then. */
export function copyRequest(request: HttpRequest, from: string): UpgradeRequest {
  let hasBetaHeader = false
  request.forEach((name, value) => {
    if (name.endsWith('-beta') && /\brealtime=v1\b/.test(value)) hasBetaHeader = true
  })
  return {
    path: request.getUrl(),
    // undefined where there is no question mark, whatever its declaration says
    query: request.getQuery() || '',
    authorization: request.getHeader('authorization'),
    apiKey: request.getHeader('api-key'),
    protocols: request.getHeader('sec-websocket-protocol'),
    origin: request.getHeader('origin'),
    host: request.getHeader('host'),
    from,
    hasBetaHeader,
  }
}
