import test from 'ava'

import { Slots } from '../../../infra/speech/threads/slots.ts'

test('no more places are given out than there are, and they are given in the order of asking', async (t) => {
  const slots = new Slots(2)
  const got: string[] = []
  const ask = (name: string): Promise<number> => slots.take().then(() => got.push(name))
  await Promise.all([ask('a'), ask('b')])
  const [third, fourth] = [ask('c'), ask('d')]
  slots.give()
  await third
  t.deepEqual(got, ['a', 'b', 'c'])
  slots.give()
  await fourth
  t.deepEqual(got, ['a', 'b', 'c', 'd'])
})

test('who gives up waiting does not keep the place from the next', async (t) => {
  const slots = new Slots(1)
  await slots.take()
  const leaving = new AbortController()
  const first = slots.take(leaving.signal)
  const second = slots.take()
  leaving.abort(new Error('enough'))
  await t.throwsAsync(first, { message: 'enough' })
  slots.give()
  await t.notThrowsAsync(second)
})

test('places that nobody waits for are there for later', async (t) => {
  const slots = new Slots(1)
  await slots.take()
  slots.give()
  await t.notThrowsAsync(slots.take())
  await t.throwsAsync(slots.take(AbortSignal.abort(new Error('enough'))), { message: 'enough' })
})

test('who waits for many places has the next when the others had one', async (t) => {
  const slots = new Slots(1)
  await slots.take()
  const got: string[] = []
  const ask = (asker: string, name: string): Promise<number> => slots.take(undefined, asker).then(() => got.push(name))
  const all = [ask('hostile', 'a1'), ask('hostile', 'a2'), ask('hostile', 'a3'), ask('good', 'b1')]
  for (const taken of [all[0], all[3], all[1], all[2]]) {
    slots.give()
    await taken
  }
  t.deepEqual(got, ['a1', 'b1', 'a2', 'a3'])
})

test('an asker who gives up leaves nobody waiting behind it', async (t) => {
  const slots = new Slots(1)
  await slots.take()
  const leaving = new AbortController()
  const gone = slots.take(leaving.signal, 'hostile')
  const next = slots.take(undefined, 'good')
  leaving.abort(new Error('enough'))
  await t.throwsAsync(gone, { message: 'enough' })
  slots.give()
  await t.notThrowsAsync(next)
})
