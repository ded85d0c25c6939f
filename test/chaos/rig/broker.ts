import { openSync, writeSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../../../actors/ports.ts'
import { launcherFor, spawnNatsServer } from '../../../infra/nats-server/child.ts'
import type { NatsChild } from '../../../infra/nats-server/child.ts'
import { newAddress, settingsText } from '../../../infra/nats-server/settings.ts'
import type { NatsAddress } from '../../../infra/nats-server/settings.ts'
import { freePort } from '../../../infra/process/free-port.ts'
import { natsServerForTests } from '../../support/nats.ts'
import { openLink } from './link.ts'
import type { Link } from './link.ts'

/** One nats-server of the rig. */
export interface BrokerNode {
  readonly name: string
  readonly port: number
  start(): Promise<void>
  kill9(): Promise<void>
  stop(): Promise<void>
  /** Everything that it has kept. */
  forget(): Promise<void>
  freeze(): void
  thaw(): void
}

export interface Broker {
  readonly nodes: readonly BrokerNode[]
  /** Between nodes, by the name of either end. */
  linksOf(node: BrokerNode): readonly Link[]
  readonly links: readonly Link[]
  /** Of all nodes, past every link: for the rig itself. */
  readonly url: string
  readonly user: string
  readonly pass: string
  /** Who may ask the cluster for another leader. */
  readonly system: { readonly user: string; readonly pass: string }
  close(): Promise<void>
}

const readyWithinMs = 180_000
const stopWithinMs = 10_000
const portTries = 3
const systemUser = 'system'

interface Place {
  readonly name: string
  readonly address: NatsAddress
  readonly clusterPort: number
  readonly storeDir: string
  readonly logFile: string
}

interface BrokerFolders {
  readonly folder: string
  readonly logs: string
}

/**
 * One server, or three that keep everything in three copies and talk to each other over links of ours. A port that was free a moment ago
 * may be that of a test beside this one.
 */
export async function startBroker(at: BrokerFolders, size: 1 | 3, triesLeft = portTries): Promise<Broker> {
  const broker = await openBroker(at, size)
  try {
    await Promise.all(broker.nodes.map((node) => node.start()))
    return broker
  } catch (error) {
    await broker.close()
    if (triesLeft <= 1) throw error
    await Promise.all(broker.nodes.map((node) => node.forget()))
    return startBroker(at, size, triesLeft - 1)
  }
}

async function openBroker({ folder, logs }: BrokerFolders, size: 1 | 3): Promise<Broker> {
  const shared = newAddress(0)
  const places = await Promise.all(
    Array.from({ length: size }, async (_, index): Promise<Place> => {
      const port = await freePort()
      return {
        name: size === 1 ? 'nats' : `nats-${index + 1}`,
        address: { ...shared, port, url: `nats://127.0.0.1:${port}` },
        clusterPort: await freePort(),
        storeDir: join(folder, `nats-${index + 1}`),
        logFile: join(logs, `nats-${index + 1}.log`),
      }
    }),
  )
  const routes = await routesBetween(places)
  const nodes = await Promise.all(places.map((place) => openNode(place, size === 1 ? undefined : routes)))
  const links = routes.map(({ link }) => link)
  return {
    nodes,
    links,
    linksOf: ({ name }) => routes.filter(({ from, to }) => from === name || to === name).map(({ link }) => link),
    url: places.map(({ address }) => address.url).join(','),
    user: shared.user,
    pass: shared.pass,
    system: { user: systemUser, pass: shared.pass },
    async close() {
      for (const node of nodes) node.thaw()
      await Promise.all(nodes.map((node) => node.kill9()))
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

interface Route {
  readonly from: string
  readonly to: string
  readonly link: Link
}

/** One link for each pair and direction, so that a single pair can be parted. */
function routesBetween(places: readonly Place[]): Promise<Route[]> {
  const pairs = places.flatMap((from) => places.filter((to) => to !== from).map((to) => ({ from, to })))
  return Promise.all(
    pairs.map(async ({ from, to }) => ({ from: from.name, to: to.name, link: await openLink(to.clusterPort) })),
  )
}

async function openNode(place: Place, routes: readonly Route[] | undefined): Promise<BrokerNode> {
  const { storeDir, address, name } = place
  const { path: binary } = await natsServerForTests()
  const launcher = await launcherFor(binary)
  const settingsFile = await writeNodeSettings(place, routes)
  const log = fileLog(place.logFile)
  let child: NatsChild | undefined
  return {
    name,
    port: address.port,
    async start() {
      child = spawnNatsServer({ binary, storeDir, address, settingsFile, launcher, log })
      await child.ready(readyWithinMs)
    },
    async kill9() {
      child?.kill('SIGKILL')
      await child?.exited
    },
    async stop() {
      await child?.stop(stopWithinMs)
    },
    forget: () => rm(storeDir, { recursive: true, force: true }),
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
  }
}

/** Its last lines may come when the folder is gone already. */
function fileLog(path: string): Log {
  const file = openSync(path, 'a')
  const write = (message: string, facts: object = {}): void =>
    void writeSync(file, `${new Date().toISOString()} ${message} ${JSON.stringify(facts)}\n`)
  return { debug: () => undefined, info: write, warn: write, error: write }
}

async function writeNodeSettings(place: Place, routes: readonly Route[] | undefined): Promise<string> {
  const { storeDir, address } = place
  await mkdir(storeDir, { recursive: true, mode: 0o700 })
  const path = join(storeDir, 'nats-server.conf')
  const alone: object = JSON.parse(settingsText(storeDir, address))
  const text = JSON.stringify(routes ? inCluster(alone, place, routes) : alone, null, 2)
  await writeFile(`${path}.tmp`, text, { mode: 0o600 })
  await rename(`${path}.tmp`, path)
  return path
}

function inCluster(alone: object, { name, address, clusterPort }: Place, routes: readonly Route[]): object {
  const { authorization: _, ...rest } = { authorization: undefined, ...alone }
  const { user, pass: password } = address
  return {
    ...rest,
    server_name: name,
    accounts: {
      $SYS: { users: [{ user: systemUser, password }] },
      vaak: { jetstream: 'enabled', users: [{ user, password }] },
    },
    cluster: {
      name: 'chaos',
      host: '127.0.0.1',
      port: clusterPort,
      // clients would otherwise learn of ways around their links, and nodes around theirs
      no_advertise: true,
      advertise: '127.0.0.1:1',
      routes: routes.filter(({ from }) => from === name).map(({ link }) => `nats-route://127.0.0.1:${link.port}`),
    },
  }
}
