import { createServer } from 'node:http'
import type { Server } from 'node:http'

import type { AskReadiness } from '../../actors/health/ports.ts'

const connectionsMax = 64
const headersWithinMs = 5_000

/** For a role that answers nothing else: `/healthz` while the process lives, `/readyz` when it can work. */
export async function serveHealth(ready: AskReadiness, at: { host: string; port: number }): Promise<Server> {
  const answers: Readonly<Record<string, () => Promise<readonly [status: number, body: object]>>> = {
    '/healthz': async () => [200, { status: 'ok' }],
    '/readyz': async () => {
      const { isReady, dependencies } = await ready()
      return [isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', dependencies }]
    },
  }
  const server = createServer({ headersTimeout: headersWithinMs }, (request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined
    if (!answer) {
      response.writeHead(404).end()
      return
    }
    void answer().then(([status, body]) =>
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body)),
    )
  })
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, resolve)
  })
  return server
}
