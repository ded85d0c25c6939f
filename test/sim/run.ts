import type { Break } from './breaks.ts'
import { cancelInSim, remove, removeBatch, startSimGateway } from './deletion.ts'
import { checkEnd, isWorldSettled, whatIsOwed } from './ending.ts'
import { unleash } from './faults.ts'
import { createOracle } from './oracle.ts'
import { createPlatform } from './platform.ts'
import { createRandom } from './random.ts'
import { scenarioOf } from './scenario.ts'
import { seedUploads } from './same-bytes.ts'
import { submitInSim } from './submission.ts'
import { calm } from './weather.ts'
import { startSimWorker } from './worker.ts'
import { createWorld } from './world.ts'

interface Simulation {
  readonly seed: number
  readonly broken?: Break | undefined
  readonly trace?: ((line: string) => void) | undefined
}

export interface SimVerdict {
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

export async function simulate({ seed, broken, trace }: Simulation): Promise<SimVerdict> {
  const scenario = scenarioOf(seed)
  const world = createWorld(createRandom(seed, 'schedule'), trace)
  const oracle = createOracle()
  const platform = createPlatform(world, { scenario, oracle, ...(broken && { broken }) })
  const { promises } = platform
  seedUploads(platform, seed)
  trace?.(JSON.stringify({ ...scenario, recordings: [...scenario.recordings] }))

  world.weather = scenario.weather
  for (let number = 0; number < scenario.workers; number += 1)
    startSimWorker(platform, { name: `worker ${number}`, sweeps: number < scenario.sweepers })
  for (let number = scenario.workers; number < scenario.sweepers; number += 1)
    startSimWorker(platform, { name: `worker ${number}`, sweeps: true })
  for (let number = 0; number < scenario.gateways; number += 1) startSimGateway(platform, `gateway ${number}`)
  for (const planned of scenario.batches) submitInSim(platform, planned)
  for (const planned of scenario.deletions) {
    promises.open += 1
    world.after(planned.atMs, () => {
      promises.open -= 1
      world.count('deletion')
      const { owner, fileId } = planned
      remove(platform, { owner, fileId: platform.sentAs.get(fileId) ?? fileId })
    })
  }
  for (const { owner, batchId, withFiles, atMs } of scenario.batchDeletions) {
    promises.open += 1
    world.after(atMs, () => {
      promises.open -= 1
      world.count('deletion of a batch')
      removeBatch(platform, { owner, batchId: platform.batchSentAs.get(batchId) ?? batchId, withFiles })
    })
  }
  for (const { owner, batchId, atMs } of scenario.cancellations) {
    promises.open += 1
    world.after(atMs, () => {
      promises.open -= 1
      world.count('cancellation')
      cancelInSim(platform, { owner, batchId: platform.batchSentAs.get(batchId) ?? batchId })
    })
  }
  unleash(platform)
  world.after(scenario.calmAtMs, () => {
    world.note('weather', 'is calm from now on')
    world.weather = calm
  })

  // between two seeds others may have a turn
  await new Promise((resolve) => setImmediate(resolve))
  const ending = await world.run({
    isOver: () => world.nowMs() >= scenario.calmAtMs && isWorldSettled(platform),
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
    steps: world.steps(),
  }
}
