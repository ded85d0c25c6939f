import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'

import type { ExecutionContext } from 'ava'
import type { JSONWebKeySet } from 'jose'

/** A real key endpoint on this machine that counts its requests and answers as the test tells it to. */
export interface JwksServer {
  readonly url: string
  requests(): number
  answer(listener: RequestListener): void
  publish(jwks: JSONWebKeySet): void
  /** Nothing listens any more: the next request is refused. */
  goDown(): Promise<void>
}

export async function aJwksServer(t: ExecutionContext): Promise<JwksServer> {
  let requests = 0
  let listener: RequestListener = (_request, response) => response.writeHead(404).end()
  const server = createServer((request, response) => {
    requests += 1
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')

  const goDown = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.teardown(goDown)

  return {
    url: `http://127.0.0.1:${address.port}/jwks.json`,
    requests: () => requests,
    answer: (next) => {
      listener = next
    },
    publish: (jwks) => {
      listener = (_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(jwks))
      }
    },
    goDown,
  }
}
