import test from 'ava'

import { createChildPool } from '../../infra/process/child-pool.ts'

function aPool() {
  const children: { id: number; end(): void; ended: Promise<void> }[] = []
  const pool = createChildPool({
    start() {
      let end = (): void => undefined
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      const child = { id: children.length, end: () => end(), ended }
      children.push(child)
      return child
    },
    end: (child) => child.end(),
  })
  return pool
}

test('who waited last is taken first, and once', (t) => {
  const pool = aPool()
  const children = [pool.start(), pool.start()]
  for (const child of children) pool.letWait(child)
  t.deepEqual([pool.takeWaiting()?.id, pool.takeWaiting()?.id, pool.takeWaiting()?.id], [1, 0, undefined])
  t.is(pool.size, 2)
})

test('one that ended while it waited is not taken', async (t) => {
  const pool = aPool()
  const child = pool.start()
  pool.letWait(child)
  child.end()
  await child.ended
  t.is(pool.takeWaiting(), undefined)
  t.is(pool.size, 0)
})

test('one that is about to end is not taken, and still runs', (t) => {
  const pool = aPool()
  const child = pool.start()
  pool.letWait(child)
  pool.forget(child)
  t.is(pool.takeWaiting(), undefined)
  t.deepEqual([pool.size, pool.waiting], [1, 0])
})

test('closing ends all, those at work too, and waits for them', async (t) => {
  const pool = aPool()
  pool.start()
  pool.letWait(pool.start())
  await pool.close()
  t.is(pool.size, 0)
})
