import test from 'ava'

import { faultKinds, kindsFor, planFaults } from './nemesis/plan.ts'
import { readCommand, ChaosUsageError } from './options.ts'

const forMs = 600_000

test('what breaks when follows from the seed', (t) => {
  const plan = (seed: number) => planFaults({ seed, forMs, kinds: kindsFor('cluster') })
  t.deepEqual(plan(7), plan(7))
  t.notDeepEqual(plan(7), plan(8))
})

test('in a long run everything breaks that can, and two faults of one area never overlap', (t) => {
  const plan = planFaults({ seed: 11, forMs, kinds: kindsFor('cluster') })
  t.deepEqual([...new Set(plan.map(({ kind }) => kind))].toSorted(), kindsFor('cluster').toSorted())
  for (const area of new Set(plan.map((fault) => fault.area))) {
    const own = plan.filter((fault) => fault.area === area).toSorted((one, other) => one.atMs - other.atMs)
    t.true(own.every((fault, at) => at === 0 || fault.atMs >= own[at - 1]!.atMs + own[at - 1]!.ms))
  }
})

test('with one broker there are no faults of a cluster', (t) => {
  t.true(kindsFor('single').every((kind) => !('clusterOnly' in faultKinds[kind])))
})

test('the command says what is wrong with its words', (t) => {
  t.is(readCommand(['--help']), undefined)
  t.like(readCommand(['--profile', 'cluster', '--seed', '5', '--minutes', '0.5']), {
    profile: 'cluster',
    seed: 5,
    minutes: 0.5,
  })
  for (const words of [
    ['--profile', 'double'],
    ['--break', 'nothing'],
    ['--minutes', 'many'],
    ['--faults', 'node-cut'],
    ['--what'],
  ])
    t.throws(() => readCommand(words), { instanceOf: ChaosUsageError })
})
