import test from 'ava'

import { outcomeOf, simplyDone } from '../../actors/attempt/attempted.ts'
import type { Attempted } from '../../actors/attempt/attempted.ts'
import { away, retryable, terminal } from '../../actors/failure.ts'

const deadline = retryable('deadline_exceeded', 'It took too long.')
const told = new Error('stop')

/** What comes of work that throws this, when the signal was aborted meanwhile with that. */
function thrown(error: unknown, reason?: unknown): Promise<Attempted<void>> {
  const controller = new AbortController()
  return outcomeOf(controller.signal, async () => {
    if (reason !== undefined) controller.abort(reason)
    throw error
  })
}

test('work that fails in our own words has failed for that reason', async (t) => {
  const cause = terminal('unsupported_media', 'It is no audio.')
  t.deepEqual(await thrown(cause), { kind: 'failed', failure: cause.failure, cause })
})

test('work that crashes is tried again, and its user is not told of a bug', async (t) => {
  const cause = new TypeError('undefined is not a function')
  t.like(await thrown(cause), { kind: 'failed', failure: { kind: 'retryable', code: 'worker_failed' }, cause })
})

test('work whose time is over has failed for that, whatever it throws', async (t) => {
  for (const cause of [new Error('aborted'), terminal('unsupported_media', 'It is no audio.')])
    t.deepEqual(await thrown(cause, deadline), { kind: 'failed', failure: deadline.failure, cause })
})

test('work that was told to stop has not failed: it is left to another worker', async (t) => {
  const cause = new Error('aborted')
  t.deepEqual(await thrown(cause, told), { kind: 'left', cause })
})

test('work that fails in our own words while it is told to stop is left as well, and nobody sets it aside', async (t) => {
  t.deepEqual(await thrown(terminal('worker_lost', 'It is given up.'), told), { kind: 'left', cause: told })
})

test('work is left while the broker is away, because nothing can be written down', async (t) => {
  const cause = away('broker_unavailable', 'It is away.')
  t.deepEqual(await thrown(cause), { kind: 'left', cause })
})

test('work is left while anything is away that it needs, also when its time was over meanwhile', async (t) => {
  for (const code of ['storage_unavailable', 'models_unavailable', 'disk_full'] as const) {
    const cause = away(code, 'It is away.')
    t.deepEqual(await thrown(cause), { kind: 'left', cause })
    t.deepEqual(await thrown(cause, deadline), { kind: 'left', cause })
  }
})

test('what is done is done, although its time was over meanwhile', async (t) => {
  const controller = new AbortController()
  const outcome = await outcomeOf(controller.signal, async () => {
    controller.abort(deadline)
    return simplyDone
  })
  t.is(outcome, simplyDone)
})

test('what came of a part stays what it was, although the time of the whole is over meanwhile', async (t) => {
  const controller = new AbortController()
  const part = await thrown(retryable('overloaded', 'Come back later.'))
  const outcome = await outcomeOf(controller.signal, async () => {
    controller.abort(deadline)
    return part
  })
  t.is(outcome, part)
})
