import test from 'ava'

import { commit, durableActor } from '../../actors/durable-actor.ts'
import type { ActorBehaviour } from '../../actors/durable-actor.ts'
import { FailureError } from '../../actors/failure.ts'
import { createLastSeen } from '../../actors/last-seen.ts'
import type { Records } from '../../actors/ports.ts'
import { memoryRecords } from '../support/memory-records.ts'

/** Counts, and owes a telling of each number that it has come to. */
type Counter = ActorBehaviour<string, number, 'Add' | 'Wake' | 'Stop', 'Tell'>

function aCounter(more: Partial<Counter> = {}) {
  const records = memoryRecords<number>()
  const history: string[] = []
  const counter: Counter = {
    records: {
      ...records,
      async create(key, value) {
        history.push(`create ${value}`)
        return records.create(key, value)
      },
      async replace(key, value, revision) {
        history.push(`replace ${value}`)
        return records.replace(key, value, revision)
      },
    },
    keyOf: (ref) => ref,
    decide: (count, commands) => ({
      state: commands.includes('Add') ? (count ?? 0) + 1 : count,
      effects: commands.includes('Stop') ? [] : ['Tell'],
    }),
    perform: async (effect, { state }) => void history.push(`${effect} ${state}`),
    ...more,
  }
  return { actor: durableActor(counter), history, records }
}

test('what is told is committed first, and then what the committed state owes is done', async (t) => {
  const { actor, history } = aCounter()
  t.is(await actor.tell('one', ['Add']), 1)
  t.is(await actor.tell('one', ['Add']), 2)
  t.deepEqual(history, ['create 1', 'Tell 1', 'replace 2', 'Tell 2'])
})

test('a command that changes nothing writes nothing, and what is owed is done again', async (t) => {
  const { actor, history } = aCounter()
  await actor.tell('one', ['Add'])
  history.length = 0
  t.is(await actor.tell('one', ['Wake']), 1)
  t.deepEqual(history, ['Tell 1'])
})

test('an effect that fails is told to whoever told, after the state is committed', async (t) => {
  const { actor, records } = aCounter({ perform: () => Promise.reject(new Error('nobody listens')) })
  await t.throwsAsync(actor.tell('one', ['Add']), { message: 'nobody listens' })
  t.is((await records.read('one'))?.value, 1)
})

test('an actor that despairs of an effect tells itself so, and who told it is at ease', async (t) => {
  const despaired: unknown[] = []
  const { actor } = aCounter({
    perform: () => Promise.reject(new Error('nobody listens')),
    despair(error, { commands }) {
      despaired.push(commands, error instanceof Error && error.message)
      return ['Stop']
    },
  })
  t.is(await actor.tell('one', ['Add']), 1)
  t.deepEqual(despaired, [['Add'], 'nobody listens'])
})

/** Records that somebody else writes to between each reading and writing, so many times. */
function contended(times: number): { records: Records<number>; waits: number[] } {
  const records = memoryRecords<number>()
  const waits: number[] = []
  let left = times
  return {
    waits,
    records: {
      ...records,
      async read(key) {
        const stored = await records.read(key)
        left -= 1
        if (left >= 0 && stored) await records.replace(key, stored.value + 100, stored.revision)
        return stored
      },
      backOff: async (conflicts) => void waits.push(conflicts),
    },
  }
}

test('who loses a race waits, each time longer, and decides again on what the winner stored', async (t) => {
  const { records, waits } = contended(3)
  await records.create('one', 1)
  const { state } = await commit(records, 'one', (count = 0) => ({ state: count + 1, effects: [] }))
  t.is(state, 302)
  t.deepEqual(waits, [1, 2, 3])
})

test('who loses every race is told to come back', async (t) => {
  const { records, waits } = contended(Infinity)
  await records.create('one', 1)
  const add = commit(records, 'one', (count = 0) => ({ state: count + 1, effects: [] }))
  const error = await t.throwsAsync(add, { instanceOf: FailureError })
  t.like(error?.failure, { kind: 'retryable', code: 'overloaded' })
  t.is(waits.length, 64)
})

test('of two who make the same record one does, and the other decides on it', async (t) => {
  const records = memoryRecords<number>()
  const add = () => commit(records, 'one', (count = 0) => ({ state: count + 1, effects: [] }))
  const both = await Promise.all([add(), add()])
  t.deepEqual(both.map(({ state }) => String(state)).toSorted(), ['1', '2'])
})

/** A counter that notes what it reads, of records that others may write to. */
function aSeeingCounter() {
  const records = memoryRecords<number>()
  const reads: string[] = []
  const reading: Records<number> = {
    ...records,
    read(key) {
      reads.push(key)
      return records.read(key)
    },
  }
  const { actor } = aCounter({ records: reading, lastSeen: createLastSeen<number>() })
  return { actor, reads, records }
}

test('what was written here is written again without a reading', async (t) => {
  const { actor, reads, records } = aSeeingCounter()
  for (let times = 0; times < 5; times += 1) await actor.tell('one', ['Add'])
  t.deepEqual(reads, ['one'])
  t.is((await records.read('one'))?.value, 5)
})

test('where somebody else wrote meanwhile the write on what was seen is refused, and what is there is read', async (t) => {
  const { actor, reads, records } = aSeeingCounter()
  await actor.tell('one', ['Add'])
  const stored = await records.read('one')
  await records.replace('one', 10, stored!.revision)
  t.is(await actor.tell('one', ['Add']), 11)
  t.deepEqual(reads, ['one', 'one'])
})

test('where nothing would be written, what was seen is not believed', async (t) => {
  const { actor, records } = aSeeingCounter()
  await actor.tell('one', ['Add'])
  const stored = await records.read('one')
  await records.replace('one', 10, stored!.revision)
  t.is(await actor.tell('one', ['Wake']), 10)
})
