import test from 'ava'

import { FairRow } from '../../actors/fair-row.ts'
import { createRecentUse } from '../../actors/recent-use.ts'

function aUse() {
  let nowMs = 0
  const use = createRecentUse({ elapsedMs: () => nowMs })
  return { use, pass: (ms: number) => void (nowMs += ms) }
}

function emptied(row: FairRow<string>): string[] {
  return Array.from({ length: row.size }, () => row.next() ?? 'nobody')
}

test('who had least lately is next, however many others wait in front', (t) => {
  const { use } = aUse()
  use.charge('hostile', 500)
  use.charge('busy', 20)
  const row = new FairRow<string>(use)
  for (const item of ['h1', 'h2', 'h3']) row.add('hostile', item)
  row.add('busy', 'b1')
  row.add('good', 'g1')
  t.deepEqual(emptied(row), ['g1', 'b1', 'h1', 'h2', 'h3'])
  t.is(row.next(), undefined)
})

test('those who had as much take turns, and each of them in the order of coming', (t) => {
  const row = new FairRow<string>(aUse().use)
  for (const item of ['a1', 'a2', 'a3']) row.add('a', item)
  for (const item of ['b1', 'b2']) row.add('b', item)
  t.deepEqual(emptied(row), ['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('time is shared, not turns: who takes ten times as long for an item has a tenth of the items', (t) => {
  const { use } = aUse()
  const row = new FairRow<string>(use)
  const costs: Readonly<Record<string, number>> = { slow: 1_000, quick: 100 }
  for (let item = 0; item < 200; item += 1) for (const asker of Object.keys(costs)) row.add(asker, `${asker} ${item}`)
  const served = { slow: 0, quick: 0 }
  for (let turn = 0; turn < 110; turn += 1) {
    const asker = row.next()?.startsWith('slow') ? 'slow' : 'quick'
    served[asker] += 1
    use.charge(asker, costs[asker]!)
  }
  t.deepEqual(served, { slow: 10, quick: 100 })
})

test('who gives up waiting is not served, and not counted', (t) => {
  const row = new FairRow<string>(aUse().use)
  row.add('a', 'a1')
  row.add('b', 'b1')
  row.delete('a', 'a1')
  row.delete('a', 'a1')
  row.delete('nobody', 'x')
  t.is(row.size, 1)
  t.deepEqual(row.askers, ['b'])
  t.deepEqual(emptied(row), ['b1'])
})

test('what somebody had is forgotten by halves, and then altogether', (t) => {
  const { use, pass } = aUse()
  use.charge('a', 800)
  pass(30_000)
  t.is(use.of('a'), 400)
  use.charge('a', 400)
  t.is(use.of('a'), 800)
  pass(30_000)
  t.is(use.of('a'), 400)
  t.is(use.of('stranger'), 0)
})

test('whoever had something long ago takes no memory', (t) => {
  const { use, pass } = aUse()
  for (let user = 0; user < 1_000; user += 1) use.charge(`user ${user}`, 100)
  pass(10 * 60_000)
  use.charge('somebody else', 1)
  t.deepEqual(
    Array.from({ length: 1_000 }, (_, user) => use.of(`user ${user}`)).filter((amount) => amount !== 0),
    [],
  )
})
