import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

/** Passes each connection on to the next of several servers; to the one after it where that does not answer. */
export async function openRoundRobin(input: {
  readonly host: string
  readonly port: number
  readonly targets: readonly string[]
}): Promise<{ readonly url: string; close(): void }> {
  const targets = input.targets.map((target) => new URL(target))
  const open = new Set<Socket>()
  let next = 0
  const server = createServer({ pauseOnConnect: true }, (client) => {
    open.add(client)
    client.on('error', () => undefined)
    client.once('close', () => open.delete(client))
    const turn = next
    next = (next + 1) % targets.length
    void firstThatAnswers(targets.map((_, at) => targets[(turn + at) % targets.length]!)).then((upstream) => {
      if (!upstream || client.destroyed) return void (client.destroy(), upstream?.destroy())
      upstream.on('error', () => client.destroy())
      client.once('close', () => upstream.destroy())
      client.pipe(upstream).pipe(client)
    })
  })
  server.listen(input.port, input.host)
  await once(server, 'listening')
  return {
    url: `http://${input.host}:${portOf(server)}`,
    close() {
      server.close()
      for (const client of open) client.destroy()
    },
  }
}

async function firstThatAnswers(targets: readonly URL[]): Promise<Socket | undefined> {
  for (const { hostname, port } of targets) {
    const upstream = connect(Number(port), hostname)
    try {
      await once(upstream, 'connect')
      return upstream
    } catch {
      // it is dead, or being started again
      upstream.destroy()
    }
  }
  return undefined
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port')
  return address.port
}
