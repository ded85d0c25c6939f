import test from 'ava'
import type { ExecutionContext } from 'ava'
import { start, stop } from 'nact'

import { createMailboxes } from '../../actors/mailboxes.ts'
import type { Mailboxes } from '../../actors/mailboxes.ts'
import { silentLog } from '../support/silent-log.ts'

interface Message {
  readonly to: string
  readonly work: () => Promise<unknown>
}

function someMailboxes(t: ExecutionContext): Mailboxes<Message, unknown> {
  const system = start()
  t.teardown(() => stop(system))
  return createMailboxes(system, {
    name: 'mailboxes',
    log: silentLog,
    keyOf: ({ to }: Message) => to,
    handle: ({ work }: Message) => work(),
  })
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
  const boxes = someMailboxes(t)
  const order: string[] = []
  const first = aTask()
  const taken = boxes.send({ to: 'key', work: async () => order.push(await first.work()) })
  const second = boxes.send({ to: 'key', work: async () => order.push('second') })
  await first.begun
  t.deepEqual(order, [])
  first.end('first')
  await Promise.all([taken, second])
  t.deepEqual(order, ['first', 'second'])
})

test('what concerns other keys does not wait', async (t) => {
  const boxes = someMailboxes(t)
  const slow = aTask()
  const taken = boxes.send({ to: 'slow', work: slow.work })
  t.is(await boxes.send({ to: 'quick', work: async () => 'done' }), 'done')
  slow.end('at last')
  t.is(await taken, 'at last')
})

test('who fails is told so, and the next one has its turn', async (t) => {
  const boxes = someMailboxes(t)
  const failing = boxes.send({ to: 'key', work: () => Promise.reject(new Error('no')) })
  const next = boxes.send({ to: 'key', work: async () => 'done' })
  await t.throwsAsync(failing, { message: 'no' })
  t.is(await next, 'done')
})

test('a key can be used again when nobody is left in its line', async (t) => {
  const boxes = someMailboxes(t)
  for (const number of [1, 2, 3]) t.is(await boxes.send({ to: 'key', work: async () => number }), number)
})

test('a thousand in one line all have their turn', async (t) => {
  const boxes = someMailboxes(t)
  let inside = 0
  let most = 0
  const all = Array.from({ length: 1000 }, () =>
    boxes.send({
      to: 'key',
      async work() {
        inside += 1
        most = Math.max(most, inside)
        await Promise.resolve()
        inside -= 1
      },
    }),
  )
  await Promise.all(all)
  t.is(most, 1)
})
