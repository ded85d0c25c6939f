import test from 'ava'

import { knowTokens } from '../../infra/identity/known-tokens.ts'
import { anOwner } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'

/** One that says who it is, for so long, and counts how often it was asked. */
function aVerifier(untilMs: number) {
  const asked: string[] = []
  const verify = (token: string) => {
    asked.push(token)
    if (token === 'bad') return Promise.reject(new Error('refused'))
    return Promise.resolve({ principal: { owner: anOwner(token), subject: token }, untilMs })
  }
  return { asked, verify }
}

test('a good token is verified once in ten seconds, and each for itself', async (t) => {
  const clock = aManualClock()
  const { asked, verify } = aVerifier(clock.nowMs() + 60_000)
  const identify = knowTokens(verify, clock)
  t.is((await identify('a')).principal.subject, 'a')
  t.is((await identify('a')).principal.subject, 'a')
  t.is((await identify('b')).principal.subject, 'b')
  t.deepEqual(asked, ['a', 'b'])
  clock.advance(10_000)
  await identify('a')
  t.deepEqual(asked, ['a', 'b', 'a'])
})

test('a token that has ended is verified again, however short ago it was good', async (t) => {
  const clock = aManualClock()
  const { asked, verify } = aVerifier(clock.nowMs() + 1_000)
  const identify = knowTokens(verify, clock)
  await identify('a')
  clock.advance(1_000)
  await identify('a')
  t.deepEqual(asked, ['a', 'a'])
})

test('a bad token is verified each time', async (t) => {
  const { asked, verify } = aVerifier(0)
  const identify = knowTokens(verify, aManualClock())
  await t.throwsAsync(identify('bad'))
  await t.throwsAsync(identify('bad'))
  t.deepEqual(asked, ['bad', 'bad'])
})
