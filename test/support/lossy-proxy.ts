import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

import type { ExecutionContext } from 'ava'

/** Stands between a client and a server on this machine, and loses what it is told to. */
export interface LossyProxy {
  readonly port: number
  /** The next thing the server says never arrives: the connection ends instead. */
  loseNextAnswer(): void
  /** The next thing the client says never arrives: the connection ends instead. */
  loseNextQuestion(): void
}

export async function aLossyProxy(t: ExecutionContext, serverPort: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  let losing: 'answer' | 'question' | undefined

  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    const forward = (from: Socket, to: Socket, what: 'answer' | 'question'): void => {
      sockets.add(from)
      from.on('error', end).on('close', end)
      from.on('data', (bytes) => {
        if (losing !== what) return void to.write(bytes)
        losing = undefined
        end()
      })
    }
    forward(client, upstream, 'question')
    forward(upstream, client, 'answer')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    loseNextAnswer() {
      losing = 'answer'
    },
    loseNextQuestion() {
      losing = 'question'
    },
  }
}
