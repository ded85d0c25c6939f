import type { IncomingHttpHeaders } from 'node:http'

const named = ['host', 'origin', 'authorization', 'api-key', 'user-agent', 'x-twilio-signature'] as const

/** What a session is opened by; the rest is between the client and this server. */
export function passedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const isPassed = (name: string): boolean =>
    named.some((one) => one === name) || name.startsWith('sec-websocket-') || name.endsWith('-beta')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isPassed(name)))
}
