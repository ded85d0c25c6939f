import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

import type { ExecutionContext } from 'ava'

import { aRemoteServer } from './remote.ts'

export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers with each of the statuses in turn, the last for all that follow. */
export async function aReceiver(t: ExecutionContext, ...statuses: number[]) {
  const calls: ReceivedCall[] = []
  const { port } = await aRemoteServer(t, (request, response) => {
    void text(request).then((body) => {
      calls.push({ headers: request.headers, body })
      response.writeHead(statuses[Math.min(calls.length, statuses.length) - 1]!).end()
    })
  })
  const environment = {
    REMOTE_ALLOW_PRIVATE: '127.0.0.1',
    REMOTE_PORTS: String(port),
    WEBHOOK_RETRY_INTERVALS: '0.2',
    WEBHOOK_MAX_RETRIES: '2',
  }
  return { calls, environment, url: `http://127.0.0.1:${port}/hook` }
}
