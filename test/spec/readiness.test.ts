import test from 'ava'

import { away } from '../../actors/failure.ts'
import { freshForMs, openReadiness } from '../../infra/health/readiness.ts'
import { openWarmUp } from '../../infra/health/warm-up.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'

test('however many ask, each dependency is looked at once a second', async (t) => {
  const clock = aManualClock()
  let looks = 0
  const ready = openReadiness({ disk: async () => void (looks += 1) }, { clock, log: aLog() })
  await Promise.all(Array.from({ length: 50 }, () => ready()))
  clock.advance(freshForMs - 1)
  t.deepEqual(await ready(), { isReady: true, dependencies: { disk: 'ok' } })
  t.is(looks, 1)
  clock.advance(1)
  await ready()
  t.is(looks, 2)
})

test('what is the matter is told in the words that are for callers, and nothing else is', async (t) => {
  const log = aLog()
  const ready = openReadiness(
    {
      full: () => Promise.reject(away('storage_unavailable', 'The storage disk is full.')),
      odd: () => Promise.reject(new Error('the secret is in /var/lib/vaak')),
      fine: () => Promise.resolve(),
    },
    { clock: aManualClock(), log },
  )
  t.deepEqual(await ready(), {
    isReady: false,
    dependencies: { full: 'The storage disk is full.', odd: 'not available', fine: 'ok' },
  })
  t.is(log.lines.length, 1)
})

test('a fact is told, and keeps nobody from being ready', async (t) => {
  const facts = { sandbox: 'It has a hole.' }
  const ready = openReadiness({ disk: () => Promise.resolve() }, { clock: aManualClock(), log: aLog(), facts })
  t.deepEqual(await ready(), { isReady: true, dependencies: { disk: 'ok', ...facts } })
})

test('a look that does not end is not repeated while it lasts', async (t) => {
  const clock = aManualClock()
  let looks = 0
  const ready = openReadiness(
    {
      stuck: () => {
        looks += 1
        return new Promise(() => undefined)
      },
    },
    { clock, log: aLog() },
  )
  for (let round = 0; round < 2; round += 1) {
    t.deepEqual(await ready(), { isReady: false, dependencies: { stuck: 'no answer within 3 seconds' } })
    clock.advance(freshForMs)
  }
  t.is(looks, 1)
})

test('models that could not be opened are tried again, when asked a while later', async (t) => {
  const clock = aManualClock()
  let isThere = false
  const { begin, check } = openWarmUp(() => (isThere ? Promise.resolve() : Promise.reject(new Error('no network'))), {
    clock,
    log: aLog(),
  })
  await t.throwsAsync(check(), { message: /being fetched and opened/ })
  begin()
  await eventually('it failed', () => check().catch((error: unknown) => /could not be opened/.test(String(error))))
  isThere = true
  await t.throwsAsync(check(), { message: /could not be opened/ })
  clock.advance(30_000)
  await t.throwsAsync(check(), { message: /could not be opened/ })
  await t.notThrowsAsync(check())
})
