import type { Clock } from '../../actors/ports.ts'
import { away } from '../../actors/failure.ts'
import type { AwayCode } from '../../actors/failure.ts'
import { createAgenda } from './agenda.ts'
import type { Random } from './random.ts'
import { calm } from './weather.ts'
import type { Service, Weather } from './weather.ts'

/**
 * Virtual time and everything that can go wrong in it. The domain only ever waits for a call to the outside, so each call is a
 * place where the seed chooses who goes on, who waits, and who dies.
 */
export interface World {
  readonly random: Random
  weather: Weather
  /** How often each thing happened, by name. */
  readonly counts: Map<string, number>
  /** Those that have not ended. */
  readonly processes: Set<Process>
  steps(): number
  nowMs(): number
  after(delayMs: number, what: () => void): void
  /** Asks a service for something on behalf of a process. Never answers to a process that died. */
  call<Result>(process: Process, asked: AskedOfWorld, apply: () => Result): Promise<Result>
  sleep(process: Process, ms: number): Promise<void>
  crash(process: Process, why: string): void
  /** It has nothing more to do. */
  end(process: Process): void
  pause(process: Process, ms: number): void
  takeDown(service: Service, ms: number): void
  isUp(service: Service): boolean
  count(what: string): void
  note(who: string, what: string): void
  /** Something that must never happen did. */
  violate(sentence: string): void
  run(input: { isOver: () => boolean; untilMs: number; afterEach: () => void }): Promise<SimEnding>
}

type SimEnding = { readonly violation?: string; readonly isOver: boolean }

interface AskedOfWorld {
  readonly service: Service
  readonly what: string
  readonly key: string
}

export interface Process {
  readonly name: string
  readonly clock: Clock
  isAlive: boolean
  mayDie: boolean
  /** Told to stop: takes nothing new. */
  isStopping: boolean
  pausedUntilMs: number
  /** Work that it has in hand. */
  readonly ongoing: Set<{ expire(): void; abort(): void }>
  /** What is done when it has ended, however it ended. */
  whenDead: () => void
  whenItStores: () => void
}

const promptMs = 12
const slowMs = 20_000
export const ackWaitMs = 30_000
/** What the broker's clock shows at the start. */
export const epochMs = 1_700_000_000_000

export function createWorld(random: Random, trace?: (line: string) => void): World {
  const agenda = createAgenda()
  const counts = new Map<string, number>()
  const downUntilMs = new Map<Service, number>()
  let nowMs = 0
  let violation: string | undefined
  let steps = 0

  const world: World = {
    random,
    weather: calm,
    counts,
    processes: new Set(),
    steps: () => steps,
    nowMs: () => nowMs,
    after: (delayMs, what) => agenda.add(nowMs + Math.max(0, delayMs), what),
    call: (process, asked, apply) =>
      new Promise((resolve, reject) => {
        if (!process.isAlive) return
        const latencyMs = random.chance(world.weather.slow)
          ? random.between(promptMs, slowMs)
          : random.between(1, promptMs)
        world.after(latencyMs, () => land({ process, asked, apply, resolve, reject }))
      }),
    sleep: (process, ms) =>
      new Promise((resolve) => {
        const wake = (): void => {
          if (!process.isAlive) return
          if (process.pausedUntilMs > nowMs) world.after(process.pausedUntilMs - nowMs, wake)
          else resolve()
        }
        world.after(ms, wake)
      }),
    crash(process, why) {
      if (!process.isAlive || !process.mayDie) return
      world.count('crash')
      world.note(process.name, `dies: ${why}`)
      for (const hand of process.ongoing) hand.expire()
      process.ongoing.clear()
      world.end(process)
      process.whenDead()
    },
    end(process) {
      process.isAlive = false
      world.processes.delete(process)
    },
    pause(process, ms) {
      if (!process.isAlive) return
      world.count('pause')
      world.note(process.name, `stands still for ${ms} ms`)
      process.pausedUntilMs = Math.max(process.pausedUntilMs, nowMs + ms)
      world.after(ms, () => world.note(process.name, 'goes on'))
      if (ms > ackWaitMs) for (const hand of process.ongoing) hand.expire()
    },
    takeDown(service, ms) {
      world.count(`${service} down`)
      world.note(service, `is down for ${ms} ms`)
      downUntilMs.set(service, Math.max(downUntilMs.get(service) ?? 0, nowMs + ms))
      world.after(ms, () => world.note(service, 'is back'))
    },
    isUp: (service) => (downUntilMs.get(service) ?? 0) <= nowMs,
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    note: (who, what) => trace?.(`${String(nowMs).padStart(8)} ${who.padEnd(10)} ${what}`),
    violate(sentence) {
      world.note('CHECK', sentence)
      violation ??= sentence
    },
    async run({ isOver, untilMs, afterEach }) {
      for (;;) {
        // whoever was answered goes on until it asks for something again: ticks come after all of that
        await new Promise<void>((resolve) => process.nextTick(resolve))
        afterEach()
        if (violation !== undefined) return { violation, isOver: false }
        if (isOver()) return { isOver: true }
        const due = agenda.next()
        if (!due || due.atMs > untilMs) return { isOver: false }
        nowMs = due.atMs
        steps += 1
        due.what()
      }
    },
  }

  interface Landing {
    readonly process: Process
    readonly asked: AskedOfWorld
    readonly apply: () => unknown
    // as: the promise's own; whoever made the call knows the type
    readonly resolve: (value: never) => void
    readonly reject: (error: unknown) => void
  }

  function land(input: Landing): void {
    const { process, asked } = input
    if (!process.isAlive) {
      // it was on its way already
      if (!random.chance(0.5)) return
      answerOf(input)
      return
    }
    if (process.pausedUntilMs > nowMs) {
      const waitMs = process.pausedUntilMs - nowMs
      // not sent yet: who is killed while it stands still never sends it
      if (random.chance(0.5)) return world.after(waitMs, () => process.isAlive && land(input))
      const held = answerOf(input)
      return world.after(waitMs, () => answer(input, held))
    }
    if (process.mayDie && random.chance(world.weather.crash)) {
      if (random.chance(0.5)) answerOf(input)
      return world.crash(process, `waiting for ${asked.what}`)
    }
    answer(input, answerOf(input))
  }

  function answerOf({ process, asked, apply }: Landing): Answer {
    const { service, what, key } = asked
    const fails = !world.isUp(service)
    const isUnknown = !fails && random.chance(rateOf(service))
    if (fails || (isUnknown && random.chance(0.5))) return refuse(process, asked)
    const given = attempt(apply)
    if (isUnknown) return refuse(process, asked)
    if (trace) world.note(process.name, `${what} ${key} → ${told(given)}`)
    return given
  }

  function rateOf(service: Service): number {
    if (service === 'speech') return 0
    return service === 'broker' ? world.weather.unknown : world.weather.storage
  }

  function refuse(process: Process, { service, what, key }: AskedOfWorld): Answer {
    world.count(`${service} unavailable`)
    world.note(process.name, `${what} ${key} → no answer`)
    return { error: away(awayCodes[service], `The ${service} did not answer.`) }
  }

  function answer({ process, resolve, reject }: Landing, given: Answer): void {
    if (!process.isAlive) return
    if ('error' in given) reject(given.error)
    else resolve(given.value as never) // as: see above
  }

  return world
}

const awayCodes = {
  broker: 'broker_unavailable',
  storage: 'storage_unavailable',
  speech: 'broker_unavailable',
  chat: 'chat_unavailable',
} as const satisfies Record<Service, AwayCode>

type Answer = { readonly value: unknown } | { readonly error: unknown }

function attempt(apply: () => unknown): Answer {
  try {
    return { value: apply() }
  } catch (error) {
    return { error }
  }
}

function told(answer: Answer): string {
  return 'error' in answer ? String(answer.error) : (JSON.stringify(answer.value) ?? 'ok').slice(0, 600)
}
