import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../../../actors/ports.ts'
import { launcherFor, spawnNatsServer } from '../../nats-server/child.ts'
import type { NatsChild } from '../../nats-server/child.ts'
import { newAddress, settingsText } from '../../nats-server/settings.ts'
import type { NatsAddress } from '../../nats-server/settings.ts'
import { freePort } from '../../process/free-port.ts'

/** Three nats-servers that keep everything in three copies. One that dies stays dead: that is what the others are for. */
export interface Brokers {
  /** Of all three. */
  readonly url: string
  readonly address: NatsAddress
  readonly pids: readonly number[]
  stop(): Promise<void>
}

const count = 3
const readyWithinMs = 120_000
const stopWithinMs = 10_000

export async function startBrokers(binary: string, input: { folder: string; log: Log }): Promise<Brokers> {
  const { folder } = input
  // while they look for each other they complain of it; whether they serve, roles say
  const quietly: Log['warn'] = (message, facts) => input.log.debug(message, facts)
  const log = { ...input.log, warn: quietly, error: quietly }
  const launcher = await launcherFor(binary)
  // everybody is the same user on each of them
  const shared = newAddress(0)
  const places = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [port, clusterPort] = [await freePort(), await freePort()]
      const name = `nats-${index + 1}`
      return { name, clusterPort, storeDir: join(folder, name), address: addressAt(shared, port) }
    }),
  )
  const routes = places.map(({ clusterPort }) => `nats-route://127.0.0.1:${clusterPort}`)
  const children: NatsChild[] = []
  for (const { name, clusterPort, storeDir, address } of places) {
    await mkdir(storeDir, { recursive: true, mode: 0o700 })
    const settingsFile = join(storeDir, 'nats-server.conf')
    const cluster = { name: 'vaak', host: '127.0.0.1', port: clusterPort, routes }
    const alone: object = JSON.parse(settingsText(storeDir, address))
    await writeFile(settingsFile, JSON.stringify({ ...alone, server_name: name, cluster }), { mode: 0o600 })
    children.push(spawnNatsServer({ binary, storeDir, address, settingsFile, launcher, log }))
  }
  const stop = async (): Promise<void> => void (await Promise.all(children.map((child) => child.stop(stopWithinMs))))
  await Promise.all(children.map((child) => child.ready(readyWithinMs))).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const url = places.map(({ address }) => address.url).join(',')
  return { url, address: { ...shared, url }, pids: children.map(({ pid }) => pid), stop }
}

function addressAt(shared: NatsAddress, port: number): NatsAddress {
  return { ...shared, port, url: `nats://127.0.0.1:${port}` }
}
