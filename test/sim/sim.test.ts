import test from 'ava'

import { workPoints } from '../../actors/fault-points.ts'
import { breaks } from './breaks.ts'
import type { Break } from './breaks.ts'
import { simulate } from './run.ts'
import { createSummary } from './summary.ts'

/** Errors are answers here, thousands of them; nobody reads their stacks. */
Error.stackTraceLimit = 0

const seedsInAll = 2000
const seedsInOne = 200
const summary = createSummary()

for (let from = 1; from <= seedsInAll; from += seedsInOne)
  test.serial(
    `whatever goes wrong, nothing is lost, doubled or stuck: seeds ${from} to ${from + seedsInOne - 1}`,
    async (t) => {
      for (let seed = from; seed < from + seedsInOne; seed += 1) {
        const verdict = await simulate({ seed })
        summary.add(verdict)
        t.is(verdict.complaint, undefined, `npm run sim -- --seed ${seed} --trace`)
      }
    },
  )

const faults = [
  'broker down',
  'broker unavailable',
  'crash',
  'deadly recording',
  'deletion',
  'delivered twice',
  'drain',
  'duplicate refused',
  'lost ack',
  'lost message',
  'overloaded',
  'pause',
  'redelivery',
  'storage down',
  'storage unavailable',
  'zombie killed',
  ...workPoints.map((point) => `at ${point}`),
]

test.serial('every kind of fault has happened, and a death at every crash point', (t) => {
  const missing = faults.filter((fault) => !summary.counts.has(fault))
  t.deepEqual(missing, [])
})

test('the same seed tells the same story', async (t) => {
  for (const seed of [1, 2, 3]) {
    const [once, again]: string[][] = [[], []]
    await simulate({ seed, trace: (line) => once!.push(line) })
    await simulate({ seed, trace: (line) => again!.push(line) })
    t.true(once!.length > 10)
    t.deepEqual(again, once)
  }
})

/** Where the search begins, to be short. */
const caughtFrom: Partial<Record<Break, number>> = { 'delete-once': 1700 }
const searched = 500

for (const broken of breaks)
  test(`it is noticed when somebody builds it wrong: ${broken}`, async (t) => {
    const from = caughtFrom[broken] ?? 1
    for (let seed = from; seed < from + searched; seed += 1)
      if ((await simulate({ seed, broken })).complaint !== undefined) return t.pass()
    t.fail(`none of the seeds ${from} to ${from + searched - 1} noticed`)
  })
