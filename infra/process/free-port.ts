import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range from which systems give ports to outgoing connections (Linux from 32768, macOS from 49152): a client
 * that keeps trying to reconnect could otherwise be given the very port it is waiting for, and keep its server off it.
 */
const lowestPort = 20_000
const highestPort = 32_000
const tries = 50

/** A loopback port that nobody listens on now. Whoever binds it must still be ready to find it taken. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = randomInt(lowestPort, highestPort)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${lowestPort} and ${highestPort} on 127.0.0.1 was found in ${tries} tries`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
