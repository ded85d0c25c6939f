import { EventEmitter, once } from 'node:events'

import test from 'ava'

import { openWorkSlots } from '../../infra/nats/queue/work-slots.ts'

const nobody = new AbortController().signal

test('a slot is free while its work waits aside, and who comes back has a turn before new work', async (t) => {
  let freed = 0
  const slots = openWorkSlots(1, () => void (freed += 1))
  slots.enter()
  const server = new EventEmitter()
  const waiting = slots.aside(() => once(server, 'answer'), nobody)
  t.is(slots.taken(), 0)
  t.is(freed, 1)
  slots.enter()
  let isBack = false
  void waiting.then(() => (isBack = true))
  server.emit('answer', 'fetched')
  await new Promise((resolve) => void setImmediate(resolve))
  t.false(isBack, 'no more work at once than there are slots')
  t.is(slots.taken(), 2, 'nothing new is taken up while somebody comes back')
  slots.leave()
  t.deepEqual(await waiting, ['fetched'])
  t.is(slots.taken(), 1)
})

test('who is told to stop while it waits for a slot gets on without one', async (t) => {
  const slots = openWorkSlots(1, () => undefined)
  slots.enter()
  const stopping = new AbortController()
  const waiting = slots.aside(() => {
    slots.enter()
    return Promise.resolve()
  }, stopping.signal)
  await Promise.resolve()
  stopping.abort()
  await t.notThrowsAsync(waiting)
  slots.leave()
  slots.leave()
  t.is(slots.taken(), 0)
})
