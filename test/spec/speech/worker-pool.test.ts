import { readdir } from 'node:fs/promises'
import { getPriority } from 'node:os'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { isRetryable } from '../../../actors/failure.ts'
import { letModelsRestAfter } from '../../../infra/speech/threads/model-rest.ts'
import { modelTime, onBehalfOf } from '../../../infra/speech/threads/model-time.ts'
import { openWorkerPool } from '../../../infra/speech/threads/pool.ts'
import { eventually } from '../../support/eventually.ts'

const entry = new URL('../../support/obedient-worker.js', import.meta.url)

test('every request gets its own answer, however many threads there are', async (t) => {
  const pool = await aPool(t, 2)
  const requests = Array.from({ length: 50 }, (_, i) => `request ${i}`)
  t.deepEqual(await Promise.all(requests.map((request) => pool.run(request))), requests)
})

test('a request that is refused does not harm the next', async (t) => {
  const pool = await aPool(t, 1)
  await t.throwsAsync(pool.run('throw'), { message: 'that cannot be recognised' })
  for (let times = 0; times < 7; times += 1)
    await t.throwsAsync(pool.run('throw at once'), { message: 'that cannot be recognised at all' })
  t.is(await pool.run('fine'), 'fine')
})

test('an answer that cannot be decoded rejects its request only', async (t) => {
  const pool = await aPool(t, 1, (answer) => {
    if (answer === 'odd') throw new Error('not an answer')
    return String(answer)
  })
  await t.throwsAsync(pool.run('odd'), { message: 'not an answer' })
  t.is(await pool.run('fine'), 'fine')
})

test('a thread that dies fails the request it had, and its successor takes the next', async (t) => {
  const pool = await aPool(t, 1)
  const dying = pool.run('die')
  const waiting = pool.run('after')
  const error = await t.throwsAsync(dying)
  t.true(isRetryable(error))
  t.is(await waiting, 'after')
})

test('threads that only die are given up, and everyone is told', async (t) => {
  const pool = await aPool(t, 1)
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => pool.run('die')))
  t.true(outcomes.every(({ status }) => status === 'rejected'))
  await t.throwsAsync(pool.run('fine'), { message: /keeps dying/ })
})

test('an aborted request leaves the queue, and one that is running is let go of', async (t) => {
  const pool = await aPool(t, 1)
  const abort = new AbortController()
  const running = pool.run('stop when told', abort.signal)
  const waiting = pool.run('waiting', abort.signal)
  abort.abort(new Error('no longer wanted'))
  await t.throwsAsync(running, { message: 'no longer wanted' })
  await t.throwsAsync(waiting, { message: 'no longer wanted' })
  await t.throwsAsync(pool.run('late', abort.signal), { message: 'no longer wanted' })
})

test('a thread is told when nobody wants what it computes, and takes the next', async (t) => {
  const pool = await aPool(t, 1)
  const abort = new AbortController()
  const running = pool.run('stop when told', abort.signal)
  const waiting = pool.run('waiting')
  abort.abort(new Error('no longer wanted'))
  await t.throwsAsync(running, { message: 'no longer wanted' })
  t.is(await waiting, 'waiting')
})

test('closing rejects who waits, and ends no thread before it has ended its work', async (t) => {
  const pool = await aPool(t, 1)
  const order: string[] = []
  const running = pool.run('go on a while when told').then((answer) => order.push(answer))
  const waiting = pool.run('waiting').catch(() => order.push('rejected'))
  await pool.close()
  order.push('closed')
  await Promise.all([running, waiting])
  t.deepEqual(order, ['rejected', 'go on a while when told', 'closed'])
  await t.throwsAsync(pool.run('late'), { message: /closed/ })
})

test('what a load moves is in the thread and no longer here', async (t) => {
  const clip = Float32Array.of(1, 2, 3)
  const moved: ArrayBuffer[] = []
  const pool = await openWorkerPool<Float32Array, unknown>({
    entry,
    workerData: undefined,
    size: 1,
    load: (request) => {
      const own = request.slice()
      moved.push(own.buffer)
      return { request: own, moved: [own.buffer] }
    },
    decode: (answer) => answer,
  })
  t.teardown(() => pool.close())
  t.deepEqual(await pool.run(clip), clip)
  t.deepEqual(
    moved.map(({ byteLength }) => byteLength),
    [0],
  )
})

test('a pool whose threads cannot open says why', async (t) => {
  const opening = openWorkerPool({ entry, workerData: 'cannot open', size: 2, decode: String })
  await t.throwsAsync(opening, { message: 'there is no model here' })
})

test('who had least of the models lately has the next thread', async (t) => {
  const pool = await aPool(t, 1)
  modelTime.charge('busy', 1_000)
  const answered: string[] = []
  const ask = (asker: string, request: string): Promise<number> =>
    onBehalfOf(asker, () => pool.run(request)).then((answer) => answered.push(answer))
  await Promise.all([ask('busy', 'b1'), ask('busy', 'b2'), ask('busy', 'b3'), ask('good', 'g1'), ask('good', 'g2')])
  t.deepEqual(answered, ['b1', 'g1', 'g2', 'b2', 'b3'])
})

test('what a thread computes is counted for who asked, and for nobody else', async (t) => {
  const pool = await aPool(t, 1)
  await onBehalfOf('counted', () => pool.run('compute'))
  t.true(modelTime.of('counted') > 10)
  t.is(modelTime.of(''), 0)
})

test('a thread gives way to everything for one who had much, until another waits for it', async (t) => {
  const pool = await aPool(t, 1)
  const thread = Number(await pool.run('which thread'))
  const usual = getPriority(thread)
  modelTime.charge('greedy', 1_000_000)
  const leaving = new AbortController()
  const running = onBehalfOf('greedy', () => pool.run('stop when told', leaving.signal))
  // who could not take it back is left as it is
  t.is(getPriority(thread), mayComeBack ? 19 : usual + 1)
  const more = onBehalfOf('greedy', () => pool.run('more', leaving.signal))
  t.is(getPriority(thread), mayComeBack ? 19 : usual + 1)
  const waiting = onBehalfOf('modest', () => pool.run('waiting', leaving.signal))
  t.is(getPriority(thread), mayComeBack ? usual : usual + 1)
  leaving.abort(new Error('enough'))
  for (const one of [running, more, waiting]) await t.throwsAsync(one, { message: 'enough' })
})

// one after the other: the setting is one for the process
test.serial('a model that nobody asks leaves memory, and is back for who asks next', async (t) => {
  letModelsRestAfter(0.02)
  t.teardown(() => letModelsRestAfter(0))
  const pool = await openWorkerPool<string, string>({
    entry,
    workerData: undefined,
    size: 1,
    decode: String,
    holdsModel: true,
  })
  t.teardown(() => pool.close())
  for (let times = 0; times < 7; times += 1) {
    const thread = await pool.run('which thread')
    await eventually('its thread has ended', async () => !(await readdir('/proc/self/task')).includes(thread))
  }
  t.deepEqual(await Promise.all(['back', 'again'].map((request) => pool.run(request))), ['back', 'again'])
})

test.serial('whoever asks while a model leaves is answered, and none leaves that has something to do', async (t) => {
  letModelsRestAfter(0.001)
  t.teardown(() => letModelsRestAfter(0))
  const pool = await openWorkerPool<string, string>({
    entry,
    workerData: undefined,
    size: 2,
    decode: String,
    holdsModel: true,
  })
  t.teardown(() => pool.close())
  const ask = async (times: number): Promise<void> => {
    // some of these moments are those in which a thread is told to end
    for (let turns = 0; turns < times; turns += 1) await new Promise(setImmediate)
    t.is(await pool.run(`request ${times}`), `request ${times}`)
  }
  for (let times = 0; times < 40; times += 1) await ask(times)
  const stopping = new AbortController()
  const long = pool.run('stop when told', stopping.signal)
  for (let times = 0; times < 40; times += 1) await ask(times)
  stopping.abort(new Error('enough'))
  await t.throwsAsync(long, { message: 'enough' }, 'it was at work all the time')
})

test.serial('threads of a model have memory together, and leave it when they rest', async (t) => {
  letModelsRestAfter(0.02)
  t.teardown(() => letModelsRestAfter(0))
  const pool = await openWorkerPool<string, string>({
    entry,
    workerData: {},
    shared: () => ({ tally: new SharedArrayBuffer(4) }),
    size: 2,
    decode: String,
    holdsModel: true,
  })
  t.teardown(() => pool.close())
  const stopping = new AbortController()
  const [occupied, thread] = [pool.run('stop when told', stopping.signal), pool.run('which thread')]
  await thread
  t.is(await pool.run('count'), '0')
  stopping.abort(new Error('enough'))
  await t.throwsAsync(occupied)
  t.is(await pool.run('count'), '1')
  await eventually('its threads have ended', async () => !(await readdir('/proc/self/task')).includes(await thread))
  t.is(await pool.run('count'), '0')
})

/** A higher priority is the administrator's to give. */
const mayComeBack = process.getuid?.() === 0

async function aPool(t: ExecutionContext, size: number, decode: (answer: unknown) => string = String) {
  const pool = await openWorkerPool<string, string>({ entry, workerData: undefined, size, decode })
  t.teardown(() => pool.close())
  return pool
}
