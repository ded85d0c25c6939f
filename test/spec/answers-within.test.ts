import test from 'ava'

import { away } from '../../actors/failure.ts'
import { answersWithin } from '../../infra/blobs/answers-within.ts'

test('a store that answers in time is there, and leaves no timer behind', async (t) => {
  await t.notThrowsAsync(answersWithin({ check: () => Promise.resolve() }, 60_000))
})

test('a store that is away says so itself', async (t) => {
  const gone = away('storage_unavailable', 'The storage folder is gone.')
  t.is(await t.throwsAsync(answersWithin({ check: () => Promise.reject(gone) }, 60_000)), gone)
})

test('a store that says nothing is away', async (t) => {
  const silent = { check: () => new Promise<void>(() => undefined) }
  await t.throwsAsync(answersWithin(silent, 10), {
    message: /^storage_unavailable: Storage did not answer within 0\.01/,
  })
})
