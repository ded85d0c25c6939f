import test from 'ava'

import { openRequestTurns } from '../../gateway/request-turns.ts'
import { anOwner } from '../support/builders.ts'

const [hostile, good] = [anOwner('h'), anOwner('g')]

/** Rounds that are made by hand, and what began in them. */
function aRow() {
  const due: (() => void)[] = []
  const begun: string[] = []
  const turns = openRequestTurns((begin) => due.push(begin))
  return {
    begun,
    ask: (owner: typeof hostile, name: string) => void turns.next(owner).then(() => begun.push(name)),
    async round() {
      due.shift()?.()
      await Promise.resolve()
    },
    rounds: () => due.length,
  }
}

test('one request of each user begins in a round, however many somebody sent before', async (t) => {
  const row = aRow()
  for (let number = 0; number < 5; number += 1) row.ask(hostile, `hostile ${number}`)
  row.ask(good, 'good')
  t.deepEqual(row.begun, [])
  await row.round()
  t.deepEqual(row.begun, ['hostile 0', 'good'])
  await row.round()
  t.deepEqual(row.begun, ['hostile 0', 'good', 'hostile 1'])
})

test('rounds end when nobody waits, and begin again with the next request', async (t) => {
  const row = aRow()
  row.ask(good, 'first')
  await row.round()
  t.is(row.rounds(), 0)
  row.ask(good, 'second')
  t.is(row.rounds(), 1)
  await row.round()
  t.deepEqual(row.begun, ['first', 'second'])
})
