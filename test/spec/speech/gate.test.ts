import test from 'ava'

import { createGate } from '../../../infra/speech/engine/gate.ts'

const never = 60_000

function aGate(options: { size: number; ageMs: number }) {
  const batches: string[][] = []
  const gate = createGate<string, string, string>({
    ...options,
    load: (reference) =>
      reference === 'gone' ? Promise.reject(new Error('no such chunk')) : Promise.resolve(reference.toUpperCase()),
    run: (clips) => {
      batches.push([...clips])
      return clips.includes('BAD')
        ? Promise.reject(new Error('the model fell over'))
        : Promise.resolve(clips.map((clip) => `${clip}!`))
    },
  })
  return { gate, batches }
}

test('a full batch leaves at once, and each caller gets its own answer', async (t) => {
  const { gate, batches } = aGate({ size: 3, ageMs: never })
  t.deepEqual(await Promise.all(['a', 'b', 'c'].map((one) => gate.pass(one))), ['A!', 'B!', 'C!'])
  t.deepEqual(batches, [['A', 'B', 'C']])
})

test('one that has waited long enough leaves without company', async (t) => {
  const { gate, batches } = aGate({ size: 8, ageMs: 1 })
  t.is(await gate.pass('a'), 'A!')
  t.deepEqual(batches, [['A']])
})

test('a chunk that cannot be fetched fails alone', async (t) => {
  const { gate } = aGate({ size: 2, ageMs: never })
  const [gone, there] = await Promise.allSettled([gate.pass('gone'), gate.pass('a')])
  t.is(gone.status, 'rejected')
  t.deepEqual(there, { status: 'fulfilled', value: 'A!' })
})

test('a run that fails fails for all that were in it and for nobody else', async (t) => {
  const { gate } = aGate({ size: 2, ageMs: never })
  const failed = await Promise.allSettled([gate.pass('bad'), gate.pass('a')])
  t.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  t.deepEqual(await Promise.all([gate.pass('b'), gate.pass('c')]), ['B!', 'C!'])
})
