import test from 'ava'
import { parse } from 'yaml'
import { z } from 'zod'

import { createRandom } from '../sim/random.ts'
import { simulateScaling, changesOfDirection } from '../support/autoscaler.ts'
import type { ScalingRule } from '../support/autoscaler.ts'
import { deployFile } from '../support/deploy-files.ts'

/** The rule of the chart for workers that transcribe, as a cluster would live with it. */

const chunkWorkers = z.object({ min: z.number(), max: z.number(), audioSecondsPerWorker: z.number() })
const values = z.object({
  autoscaling: z.object({
    pollingSeconds: z.number(),
    calmSeconds: z.number(),
    podsDownAMinute: z.number(),
    chunkWorker: chunkWorkers,
  }),
  roles: z.object({ chunkWorker: z.object({ shutdownSeconds: z.number() }) }),
})
const { autoscaling, roles } = values.parse(parse(await deployFile('chart/values.yaml')))
const { min, max, audioSecondsPerWorker: perWorker } = autoscaling.chunkWorker
const rule: ScalingRule = {
  min,
  max,
  perWorker,
  pollSeconds: autoscaling.pollingSeconds,
  calmSeconds: autoscaling.calmSeconds,
  downAMinute: autoscaling.podsDownAMinute,
}
/** Two chunks of 28 s in hand; a minute and a half to fetch its models. */
const worker = {
  speed: 40,
  startSeconds: 90,
  inHand: 56,
  drainSeconds: roles.chunkWorker.shutdownSeconds,
}
const hour = 3_600
const sum = (count: number, of: (index: number) => number): number =>
  Array.from({ length: count }, (_, index) => of(index)).reduce((all, one) => all + one, 0)

test('a hundred hours that come at once are met by all workers, who then go one by one and never come back', (t) => {
  const arrivals = (second: number): number => (second === 60 ? 100 * hour : 0)
  const scaled = simulateScaling({ rule, worker, arrivals, seconds: 2 * hour })
  t.is(Math.max(...scaled.wanted), max)
  t.is(changesOfDirection(scaled), 1)
  t.is(scaled.wanted.at(-1), min)
  t.is(Math.round(scaled.transcribed), 100 * hour)
  const emptyAfter = scaled.backlogs.findLastIndex((backlog) => backlog > 0) * rule.pollSeconds - 60
  t.true(emptyAfter < 15 * 60, `it took ${emptyAfter} s`)
})

test('pauses between batches let nobody go who is needed again', (t) => {
  const batch = 8 * hour
  const arrivals = (second: number): number => (second % 240 === 0 && second < hour ? batch : 0)
  const scaled = simulateScaling({ rule, worker, arrivals, seconds: hour })
  t.is(changesOfDirection(scaled), 0)
})

test('an even load with noise is met without coming and going', (t) => {
  const random = createRandom(1, 'arrivals')
  const noise = Array.from({ length: 3 * hour }, () => 200 * (0.5 + random.below(1_000) / 1_000))
  const scaled = simulateScaling({ rule, worker, arrivals: (second) => noise[second]!, seconds: 3 * hour })
  t.true(changesOfDirection(scaled) <= 2, `it turned ${changesOfDirection(scaled)} times in three hours`)
  t.true(scaled.transcribed > sum(3 * hour, (second) => noise[second]!) * 0.8)
})

test('of a burst at most a tenth is handed back by workers that go, however slow they are', (t) => {
  for (const speed of [40, 4, 0.5]) {
    const burst = speed * 10 * hour
    const arrivals = (second: number): number => (second === 0 ? burst : 0)
    const slow = { ...worker, speed }
    const scaled = simulateScaling({
      rule: { ...rule, perWorker: speed * 300 },
      worker: slow,
      arrivals,
      seconds: 3 * hour,
    })
    t.is(changesOfDirection(scaled), 1)
    t.true(scaled.handedBack <= burst * 0.1, `${scaled.handedBack} of ${burst} at ${speed}`)
  }
})

test('the simulation sees a rule that comes and goes, and work that is handed back: one without a calm', (t) => {
  const arrivals = (second: number): number => (second % 240 === 0 ? 8 * hour : 0)
  const restless = { ...rule, calmSeconds: 1, downAMinute: 10 }
  t.true(changesOfDirection(simulateScaling({ rule: restless, worker, arrivals, seconds: hour })) > 10)
  const slow = { ...worker, speed: 0.5 }
  const hasty = { ...restless, perWorker: 150 }
  const burst = simulateScaling({
    rule: hasty,
    worker: slow,
    arrivals: (second) => Number(second < 600),
    seconds: hour,
  })
  t.true(burst.handedBack > 0)
})
