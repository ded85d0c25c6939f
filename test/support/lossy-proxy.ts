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
  /** The next connections end after so many bytes of the client, one after another. */
  cutAfter(bytes: readonly number[]): void
  /** How many of those have been. */
  readonly cuts: number
}

export async function aLossyProxy(t: ExecutionContext, serverPort: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  let losing: 'answer' | 'question' | undefined
  let coming: number[] = []
  let cuts = 0

  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    let isCut = false
    const end = (): void => {
      client.destroy()
      // what was before the cut still arrives
      if (!isCut) upstream.destroy()
    }
    let leftBytes = coming.shift() ?? Infinity
    /** True when the connection was cut. */
    const cut = (bytes: Buffer): boolean => {
      leftBytes -= bytes.length
      if (leftBytes >= 0) return false
      cuts += 1
      isCut = true
      upstream.end(bytes.subarray(0, bytes.length + leftBytes))
      client.destroy()
      return true
    }
    const forward = (from: Socket, to: Socket, what: 'answer' | 'question'): void => {
      sockets.add(from)
      from.on('error', end).on('close', end)
      from.on('data', (bytes) => {
        if (what === 'question' && cut(bytes)) return
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
    cutAfter(bytes) {
      coming = [...bytes]
    },
    get cuts() {
      return cuts
    },
  }
}
