import test from 'ava'

import { openDayQuota } from '../../actors/batch/day-quota.ts'
import { roomInRecord } from '../../actors/batch/quota-pages.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { aBatchId, anOwner } from '../support/builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

const owner = anOwner('d')
const dayMs = 24 * 60 * 60 * 1000
const noonMs = 20_000 * dayMs + dayMs / 2

function aDay(maxSeconds: number) {
  const usage = memoryRecords<Quota>()
  const clock = { now: noonMs, nowMs: () => clock.now, elapsedMs: () => 0 }
  return { clock, gateways: [1, 2].map(() => openDayQuota({ usage, clock }, maxSeconds)) }
}

test('a day’s sound is counted once for all machines, refused with the limit, and begins anew at midnight', async (t) => {
  const { clock, gateways } = aDay(100)
  const [one, two] = gateways
  const batchId = aBatchId()
  for (const gateway of [one, two, one])
    t.is(await gateway?.spend({ owner, key: batchId, seconds: 60 }), undefined, 'the same batch is counted once')
  const refused = await two?.spend({ owner, key: aBatchId(), seconds: 41 })
  t.is(refused?.secondsLeft, dayMs / 2 / 1000)
  t.regex(refused?.detail ?? '', /101 seconds of sound .* your quota is 100 seconds a day/)
  t.is(await two?.spend({ owner, key: aBatchId(), seconds: 40 }), undefined, 'what was refused took nothing')
  t.is(await one?.spend({ owner: anOwner('e'), key: aBatchId(), seconds: 100 }), undefined, 'users are apart')
  clock.now += dayMs
  t.is(await one?.spend({ owner, key: aBatchId(), seconds: 100 }), undefined)
})

test('of many that race for a day exactly as many are admitted as there is room for, however many batches that are', async (t) => {
  const most = 2 * roomInRecord
  const { gateways } = aDay(most)
  let admitted = 0
  for (let from = 0; from < most + 16; from += 8)
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const spent = await gateways[at % 2]?.spend({ owner, key: aBatchId(), seconds: 1 })
        if (!spent) admitted += 1
      }),
    )
  t.is(admitted, most)
})

test('what was spent today is told, also where there is no limit', async (t) => {
  const { clock, gateways } = aDay(0)
  const [one, two] = gateways
  t.is(await one?.spentToday(owner), 0)
  for (const seconds of [1_000_000, 2]) t.is(await one?.spend({ owner, key: aBatchId(), seconds }), undefined)
  t.is(await two?.spentToday(owner), 1_000_002)
  t.is(await two?.spentToday(anOwner('e')), 0)
  clock.now += dayMs
  t.is(await one?.spentToday(owner), 0)
})

test('what no day has room for is refused without a time to come back at, however little was spent', async (t) => {
  const { gateways } = aDay(100)
  const refused = await gateways[0]?.spend({ owner, key: aBatchId(), seconds: 101 })
  t.is(refused?.secondsLeft, undefined)
  t.regex(refused?.detail ?? '', /^This alone has 101 seconds of sound, .* 100 seconds a day\. Submit it in parts/)
  t.is(await gateways[0]?.spentToday(owner), 0)
})
