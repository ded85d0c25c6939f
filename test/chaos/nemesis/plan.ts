import { createRandom } from '../../sim/random.ts'
import type { Random } from '../../sim/random.ts'
import type { Area } from '../history.ts'
import type { RigProfile } from '../rig/rig.ts'

/** What is going to happen when: follows from the seed alone, so that a run can be repeated. */
export interface PlannedFault {
  readonly kind: FaultKind
  readonly area: Area
  readonly atMs: number
  readonly ms: number
  /** Decides whom it hits. */
  readonly pick: number
}

interface KindPlan {
  readonly area: Area
  readonly about: string
  readonly seconds: readonly [number, number]
  readonly clusterOnly?: boolean
}

export const faultKinds = {
  'worker-kill': { area: 'workers', about: 'kill -9, and up again', seconds: [0.2, 5] },
  'worker-freeze': { area: 'workers', about: 'SIGSTOP for longer than an ack wait, then SIGCONT', seconds: [5, 12] },
  'worker-restart': { area: 'workers', about: 'SIGTERM, and up again', seconds: [0.2, 3] },
  'worker-dies-at': { area: 'workers', about: 'kill -9 at a named point of its work', seconds: [3, 6] },
  'thundering-herd': {
    area: 'workers',
    about: 'no worker at all while users send more, then all at once',
    seconds: [4, 8],
  },
  'gateway-kill': { area: 'gateways', about: 'kill -9, and up again', seconds: [0.2, 4] },
  'gateway-freeze': { area: 'gateways', about: 'SIGSTOP, then SIGCONT', seconds: [2, 7] },
  'gateway-restart': { area: 'gateways', about: 'SIGTERM, and up again', seconds: [0.2, 3] },
  'gateway-dies-at': { area: 'gateways', about: 'kill -9 at a named point of its work', seconds: [3, 6] },
  'gateway-gone': {
    area: 'gateways',
    about: 'stands still with what it has accepted, is lost with its disk, and another takes its place',
    seconds: [3, 6],
  },
  'clock-jump': { area: 'clocks', about: 'the clock of a process is minutes wrong, then right again', seconds: [3, 9] },
  'broker-kill': { area: 'broker', about: 'kill -9 of a nats-server, and up again', seconds: [0.5, 6] },
  'broker-freeze': { area: 'broker', about: 'SIGSTOP of a nats-server, then SIGCONT', seconds: [1, 6] },
  'broker-restart': { area: 'broker', about: 'SIGTERM of a nats-server, and up again', seconds: [0.5, 4] },
  'broker-full': {
    area: 'broker',
    about: 'not a byte left where the broker keeps everything, then room and a restart of its nodes',
    seconds: [2, 8],
  },
  'link-cut': { area: 'links', about: 'a process cannot reach the broker, and is told so', seconds: [2, 7] },
  'link-hold': {
    area: 'links',
    about: 'nothing arrives between a process and the broker, and nobody is told',
    seconds: [2, 7],
  },
  'link-slow': {
    area: 'links',
    about: 'every piece between all processes and the broker takes 100 to 300 ms, some 1.5 s',
    seconds: [4, 9],
  },
  'disk-full': { area: 'storage', about: 'not a byte left where recordings and results lie', seconds: [2, 15] },
  'storage-away': { area: 'storage', about: 'the folder of the store is moved away, and back', seconds: [2, 15] },
  'storage-slow': { area: 'storage', about: 'each answer of storage takes workers 0.2 to 2 s', seconds: [4, 12] },
  duplicates: {
    area: 'messages',
    about: 'every message of a queue is sent once more, past the dedupe window',
    seconds: [3, 9],
  },
  'lost-message': {
    area: 'messages',
    about: 'messages are taken out of a queue that nobody has taken up',
    seconds: [0.1, 0.5],
  },
  'leader-step-down': {
    area: 'broker',
    about: 'streams, consumers and the cluster get other leaders',
    seconds: [2, 5],
    clusterOnly: true,
  },
  'node-cut': {
    area: 'broker',
    about: 'a node is parted from the others and from all processes',
    seconds: [3, 9],
    clusterOnly: true,
  },
  'node-hold': { area: 'broker', about: 'the same, and nobody is told', seconds: [3, 9], clusterOnly: true },
  'leader-cut': {
    area: 'broker',
    about: 'the node that leads a queue is parted from the others and from all processes',
    seconds: [3, 9],
    clusterOnly: true,
  },
  'rolling-restart': {
    area: 'broker',
    about: 'one node after the other, SIGTERM and up again',
    seconds: [3, 6],
    clusterOnly: true,
  },
  'freeze-and-kill': {
    area: 'broker',
    about: 'one node stands still while another is killed',
    seconds: [2, 5],
    clusterOnly: true,
  },
} as const satisfies Record<string, KindPlan>

export type FaultKind = keyof typeof faultKinds

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text)
}

export function kindsFor(profile: RigProfile): FaultKind[] {
  return Object.entries<KindPlan>(faultKinds).flatMap(([kind, { clusterOnly = false }]) =>
    isFaultKind(kind) && (profile === 'cluster' || !clusterOnly) ? [kind] : [],
  )
}

const firstAtMs = 1500
const restMs = [500, 4000] as const
const secondChance = 0.35
const pickMax = 1_000_000

/** One after the other with rests between, and now and then a second one, in another area, on top. Each kind comes before one comes again. */
export function planFaults(input: { seed: number; forMs: number; kinds: readonly FaultKind[] }): PlannedFault[] {
  const random = createRandom(input.seed, 'faults')
  const bag = createBag(random, input.kinds)
  const planned: PlannedFault[] = []
  for (let atMs = firstAtMs; ;) {
    const kind = bag.next()
    const first = kind && faultAt(random, kind, atMs)
    if (!first || first.atMs + first.ms > input.forMs) return planned
    planned.push(first)
    let endMs = first.atMs + first.ms
    if (random.chance(secondChance)) {
      const other = bag.next((one) => faultKinds[one].area !== first.area)
      const second = other && faultAt(random, other, atMs + random.below(first.ms))
      if (second && second.atMs + second.ms <= input.forMs) {
        planned.push(second)
        endMs = Math.max(endMs, second.atMs + second.ms)
      }
    }
    atMs = endMs + random.between(...restMs)
  }
}

function faultAt(random: Random, kind: FaultKind, atMs: number): PlannedFault {
  const { area, seconds } = faultKinds[kind]
  const [from, to] = seconds
  return { kind, area, atMs, ms: random.between(from * 1000, to * 1000), pick: random.below(pickMax) }
}

/** Every kind once, in random order, and then again. */
function createBag(random: Random, kinds: readonly FaultKind[]) {
  let left: FaultKind[] = []
  return {
    next(isWanted: (kind: FaultKind) => boolean = () => true): FaultKind | undefined {
      if (left.length === 0) left = shuffled(random, kinds)
      const at = left.findIndex(isWanted)
      return at < 0 ? undefined : left.splice(at, 1)[0]
    },
  }
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items]
  return items.map(() => left.splice(random.below(left.length), 1)[0]!)
}
