import type { Break } from './breaks.ts'
import { remove, submit } from './client.ts'
import { checkEnd, isSettled, whatIsOwed } from './ending.ts'
import { unleash } from './faults.ts'
import { createOracle } from './oracle.ts'
import { createPlatform } from './platform.ts'
import { createRandom } from './random.ts'
import { scenarioOf } from './scenario.ts'
import { calm } from './weather.ts'
import { startWorker } from './worker.ts'
import { createWorld } from './world.ts'

export interface Simulation {
  readonly seed: number
  readonly broken?: Break | undefined
  readonly trace?: ((line: string) => void) | undefined
}

export interface Verdict {
  readonly seed: number
  /** What went wrong; nothing when all is well. */
  readonly complaint?: string
  readonly counts: ReadonlyMap<string, number>
  /** How often something was worked on, and how much there was to work on. */
  readonly tries: number
  readonly works: number
  readonly virtualMs: number
  readonly steps: number
}

/** From the last fault on: several rounds of sweeping, and every retry and deadline that may come after. */
const patienceMs = 4 * 3_600_000
/** When nobody can still have in hand what was deleted. */
const zombiesMs = 600_000

export async function simulate({ seed, broken, trace }: Simulation): Promise<Verdict> {
  const scenario = scenarioOf(seed)
  const world = createWorld(createRandom(seed, 'schedule'), trace)
  const oracle = createOracle()
  const platform = createPlatform(world, { scenario, oracle, ...(broken && { broken }) })
  const { promises } = platform
  for (const fileId of scenario.recordings.keys()) platform.uploads.seed(fileId, fileId)
  trace?.(JSON.stringify({ ...scenario, recordings: [...scenario.recordings] }))

  world.weather = scenario.weather
  for (let number = 0; number < scenario.workers; number += 1)
    startWorker(platform, { name: `worker ${number}`, sweeps: number < scenario.sweepers })
  for (let number = scenario.workers; number < scenario.sweepers; number += 1)
    startWorker(platform, { name: `worker ${number}`, sweeps: true })
  for (const planned of scenario.batches) submit(platform, planned)
  for (const { fileId, atMs } of scenario.deletions) {
    promises.open += 1
    world.after(atMs, () => {
      promises.open -= 1
      world.count('deletion')
      remove(platform, { fileId, againAtMs: scenario.calmAtMs + zombiesMs })
    })
  }
  unleash(platform)
  world.after(scenario.calmAtMs, () => {
    world.note('weather', 'is calm from now on')
    world.weather = calm
  })

  const ending = await world.run({
    isOver: () => world.nowMs() >= scenario.calmAtMs && isSettled(platform),
    untilMs: scenario.calmAtMs + patienceMs,
    afterEach: () => {
      for (const stream of platform.streams) stream.dispatch()
    },
  })
  const complaints = ending.isOver ? checkEnd(platform) : []
  const stuck = ending.isOver ? undefined : `I7: it does not end: ${whatIsOwed(platform)}`
  const complaint = ending.violation ?? complaints[0] ?? stuck
  return {
    seed,
    ...(complaint !== undefined && { complaint }),
    counts: world.counts,
    tries: [...oracle.tries.values()].reduce((sum, times) => sum + times, 0),
    works: oracle.tries.size,
    virtualMs: world.nowMs(),
    steps: world.steps,
  }
}
