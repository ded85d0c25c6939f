import { gatewayPoints, workPoints } from '../../../actors/fault-points.ts'
import type { FaultPoint } from '../../../actors/fault-points.ts'
import type { Link } from '../rig/link.ts'
import type { BrokerNode } from '../rig/broker.ts'
import type { Rig } from '../rig/rig.ts'
import type { RigRole } from '../rig/role.ts'
import type { FaultKind } from './plan.ts'
import { copyMessages, loseMessages } from './messages.ts'
import { changeLeaders, leaderOfQueue } from './leaders.ts'
import type { NemesisScene, Begun } from './scene.ts'

const slowMs = 200
/** Where a gateway has accepted what storage does not have yet. */
const acceptedPoints: readonly FaultPoint[] = ['upload.after-accept', 'upload.before-answer', 'transfer.after-begin']
/** Tokens are good for longer. */
const clockMinutesMax = 10

export async function begin(kind: FaultKind, scene: NemesisScene, pick: number): Promise<Begun> {
  const { rig } = scene
  const one = <Item>(items: readonly Item[]): Item => items[pick % items.length]!
  const worker = one(rig.workers)
  const gateway = one(rig.gateways)
  const node = one(rig.broker.nodes)
  const role = one<RigRole>([...rig.workers, ...rig.gateways])
  switch (kind) {
    case 'worker-kill':
      return down(worker, () => worker.kill9())
    case 'gateway-kill':
      return down(gateway, () => gateway.kill9())
    case 'gateway-gone':
      return armed(gateway, `${one(acceptedPoints)}:freeze`, () => gateway.loseDisk())
    case 'clock-jump':
      return jumped(role, scene)
    case 'worker-restart':
      return down(worker, () => worker.stop())
    case 'gateway-restart':
      return down(gateway, () => gateway.stop())
    case 'worker-freeze':
      return frozen(worker)
    case 'gateway-freeze':
      return frozen(gateway)
    case 'worker-dies-at':
      return armed(worker, `${one(workPoints)}:kill`)
    case 'gateway-dies-at':
      return armed(gateway, `${one(gatewayPoints)}:kill`)
    case 'thundering-herd':
      return herd(scene)
    case 'broker-kill':
      return nodeDown(node, () => node.kill9())
    case 'broker-restart':
      return nodeDown(node, () => node.stop())
    case 'broker-full':
      return noRoom(rig)
    case 'broker-freeze':
      return frozen(node)
    case 'link-cut':
      return parted(role.name, role.links, (link) => link.cut())
    case 'link-hold':
      return parted(role.name, role.links, (link) => link.hold())
    case 'link-slow': {
      const links = [...rig.workers, ...rig.gateways].flatMap(({ links: own }) => own)
      return parted('all processes', links, (link) => link.slow({ ms: slowMs, random: scene.random }))
    }
    case 'disk-full':
      await rig.disk.fill()
      return {
        what: rig.disk.isSmall ? 'storage and spools' : 'nothing: no disk could be mounted',
        end: () => rig.disk.drain(),
      }
    case 'storage-away':
      await rig.disk.takeStore()
      return { what: 'the folder of the store', end: () => rig.disk.bringStoreBack() }
    case 'storage-slow':
      await rig.disk.slow()
      return { what: 'the storage of all workers', end: () => rig.disk.hasten() }
    case 'duplicates':
      return copyMessages(scene)
    case 'lost-message':
      return loseMessages(scene, pick)
    case 'leader-step-down':
      return changeLeaders(scene)
    case 'node-cut':
      return parted(node.name, linksAround(rig, node), (link) => link.cut())
    case 'node-hold':
      return parted(node.name, linksAround(rig, node), (link) => link.hold())
    case 'leader-cut': {
      const leader = await leaderOfQueue(scene)
      return parted(leader.name, linksAround(rig, leader), (link) => link.cut())
    }
    case 'rolling-restart':
      return rolling(rig.broker.nodes)
    case 'freeze-and-kill':
      return freezeAndKill(rig.broker.nodes, pick)
  }
}

async function down(role: RigRole, end: () => Promise<void>): Promise<Begun> {
  await end()
  return { what: role.name, end: () => role.up() }
}

function frozen(what: Pick<RigRole | BrokerNode, 'name' | 'freeze' | 'thaw'>): Begun {
  what.freeze()
  return { what: what.name, end: () => what.thaw() }
}

async function jumped(role: RigRole, { random }: NemesisScene): Promise<Begun> {
  const minutes = random.pick([-1, 1]) * random.between(1, clockMinutesMax)
  await role.setClock(minutes * 60_000)
  return {
    what: `${role.name} by ${minutes.toFixed(1)} minutes`,
    end: () => role.setClock(0),
  }
}

/** What befalls it at that point does so in its next life; in the end it is killed, and what is left of it may go too. */
async function armed(role: RigRole, fault: string, bury?: () => Promise<void>): Promise<Begun> {
  await role.kill9()
  role.arm({ FAULTS: fault })
  role.up()
  return {
    what: `${role.name}, ${fault}`,
    async end() {
      await role.kill9()
      await bury?.()
      role.up()
    },
  }
}

async function herd({ rig, rush }: NemesisScene): Promise<Begun> {
  await Promise.all(rig.workers.map((worker) => worker.kill9()))
  rush()
  return {
    what: 'all workers',
    end() {
      for (const worker of rig.workers) worker.up()
    },
  }
}

async function nodeDown(node: BrokerNode, end: () => Promise<void>): Promise<Begun> {
  await end()
  return { what: node.name, end: () => node.start() }
}

/** A nats-server that could not write takes nothing more until it is started again. */
async function noRoom({ broker, stores }: Rig): Promise<Begun> {
  await stores.fill()
  return {
    what: stores.isSmall ? 'the disk of all nodes' : 'nothing: no disk could be mounted',
    async end() {
      await stores.drain()
      // all of them: one alone has nobody to agree with about anything
      await Promise.all(
        broker.nodes.map(async (node) => {
          await node.stop()
          await node.start()
        }),
      )
    },
  }
}

function parted(what: string, links: readonly Link[], part: (link: Link) => void): Begun {
  for (const link of links) part(link)
  return {
    what,
    end() {
      for (const link of links) link.heal()
    },
  }
}

function linksAround(rig: Rig, node: BrokerNode): Link[] {
  return [...rig.broker.linksOf(node), ...rig.linksTo(node)]
}

async function rolling(nodes: readonly BrokerNode[]): Promise<Begun> {
  for (const node of nodes) {
    await node.stop()
    await node.start()
  }
  return { what: 'all nodes in turn', end: () => undefined }
}

async function freezeAndKill(nodes: readonly BrokerNode[], pick: number): Promise<Begun> {
  const still = nodes[pick % nodes.length]!
  const dead = nodes[(pick + 1) % nodes.length]!
  still.freeze()
  await dead.kill9()
  return {
    what: `${still.name} stands still, ${dead.name} is killed`,
    async end() {
      still.thaw()
      await dead.start()
    },
  }
}
