import test from 'ava'
import type { ExecutionContext } from 'ava'
import { start, stop } from 'nact'

import { createTurns } from '../../actors/turns.ts'
import type { Turns } from '../../actors/turns.ts'
import { silentLog } from '../support/silent-log.ts'

function someTurns(t: ExecutionContext): Turns {
  const system = start()
  t.teardown(() => stop(system))
  return createTurns(system, 'turns', silentLog)
}

/** Work that goes on until the test ends it. */
function aTask(): { work: () => Promise<string>; begun: Promise<void>; end(result: string): void } {
  let begin = (): void => undefined
  let end = (_result: string): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  return {
    begun,
    end: (result) => end(result),
    work() {
      begin()
      return ended
    },
  }
}

test('what concerns the same key is done one after another, in the order in which it came', async (t) => {
  const turns = someTurns(t)
  const order: string[] = []
  const first = aTask()
  const taken = turns.take('key', async () => order.push(await first.work()))
  const second = turns.take('key', async () => order.push('second'))
  await first.begun
  t.deepEqual(order, [])
  first.end('first')
  await Promise.all([taken, second])
  t.deepEqual(order, ['first', 'second'])
})

test('what concerns other keys does not wait', async (t) => {
  const turns = someTurns(t)
  const slow = aTask()
  const taken = turns.take('slow', slow.work)
  t.is(await turns.take('quick', async () => 'done'), 'done')
  slow.end('at last')
  t.is(await taken, 'at last')
})

test('who fails is told so, and the next one has its turn', async (t) => {
  const turns = someTurns(t)
  const failing = turns.take('key', () => Promise.reject(new Error('no')))
  const next = turns.take('key', async () => 'done')
  await t.throwsAsync(failing, { message: 'no' })
  t.is(await next, 'done')
})

test('a key can be used again when nobody is left in its line', async (t) => {
  const turns = someTurns(t)
  for (const number of [1, 2, 3]) t.is(await turns.take('key', async () => number), number)
})

test('a thousand in one line all have their turn', async (t) => {
  const turns = someTurns(t)
  let inside = 0
  let most = 0
  const all = Array.from({ length: 1000 }, () =>
    turns.take('key', async () => {
      inside += 1
      most = Math.max(most, inside)
      await Promise.resolve()
      inside -= 1
    }),
  )
  await Promise.all(all)
  t.is(most, 1)
})
