import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

import type { Random } from '../../sim/random.ts'

/** One way between two processes. Bytes keep their order; what becomes of them is decided here. */
export interface Link {
  readonly port: number
  /** Connections end, and new ones end at once: the other side notices. */
  cut(): void
  /** Nothing arrives any more and nobody is told: connections stay open. */
  hold(): void
  /** Every piece comes late, and now and then one much later. */
  slow(input: Slowness): void
  heal(): void
  close(): Promise<void>
}

interface Slowness {
  readonly ms: number
  readonly random: Random
}

const stallChance = 0.01
const stallMs = 1500

type Mode = 'open' | 'cut' | 'held'

/** What was read of one side and is still to be written to the other. */
interface Pipe {
  readonly to: Socket
  readonly waiting: { readonly bytes: Buffer; readonly dueMs: number }[]
  timer?: NodeJS.Timeout | undefined
}

export async function openLink(targetPort: number): Promise<Link> {
  const pipes = new Set<Pipe>()
  const sockets = new Set<Socket>()
  let mode: Mode = 'open'
  let slowness: Slowness | undefined

  const isHeld = (): boolean => mode === 'held'
  const pump = (pipe: Pipe): void => {
    clearTimeout(pipe.timer)
    pipe.timer = undefined
    while (!isHeld() && pipe.waiting[0]) {
      const leftMs = pipe.waiting[0].dueMs - performance.now()
      if (leftMs > 0) {
        pipe.timer = setTimeout(() => pump(pipe), leftMs)
        return
      }
      const { bytes } = pipe.waiting.shift()!
      if (pipe.to.writable) pipe.to.write(bytes)
    }
  }
  const carry = (from: Socket, to: Socket, end: () => void): void => {
    const pipe: Pipe = { to, waiting: [] }
    sockets.add(from)
    pipes.add(pipe)
    from.on('data', (bytes) => {
      pipe.waiting.push({ bytes, dueMs: performance.now() + latenessOf(slowness) })
      pump(pipe)
    })
    from.on('error', end).on('close', () => {
      clearTimeout(pipe.timer)
      pipes.delete(pipe)
      sockets.delete(from)
      end()
    })
  }
  const server = createServer({ noDelay: true }, (client) => {
    if (mode === 'cut') {
      client.on('error', () => undefined).destroy()
      return
    }
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    carry(client, upstream, end)
    carry(upstream, client, end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a link has no port')
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    cut() {
      mode = 'cut'
      endAll()
    },
    hold() {
      mode = 'held'
    },
    slow(input) {
      slowness = input
    },
    heal() {
      mode = 'open'
      slowness = undefined
      for (const pipe of pipes) pump(pipe)
    },
    async close() {
      endAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function latenessOf(slowness: Slowness | undefined): number {
  if (!slowness) return 0
  const { ms, random } = slowness
  return ms / 2 + random.below(ms) + (random.chance(stallChance) ? stallMs : 0)
}
