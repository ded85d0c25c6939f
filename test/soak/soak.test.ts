import test from 'ava'

import { grown, leastOf } from './levels.ts'
import { soakText } from './report.ts'
import { soak } from './run.ts'

test('after some rounds of everything, gateway, worker, realtime server and broker hold what they held before', async (t) => {
  t.timeout(400_000)
  const report = await soak({ seconds: 20, warmUpSeconds: 10, pauseMs: 200, conversationEvery: 1 })
  t.log(soakText(report))
  t.true(report.rounds >= 2)
  t.deepEqual(report.grown, [])
})

for (const [what, level, isGrown] of [
  ['gateway: heap MB', 34, false],
  ['gateway: heap MB', 60, true],
  ['worker: timers', 36, true],
  ['broker: messages in asr_file_queue', 31, true],
  ['broker: consumers', 30, false],
] as const)
  test(`${level} where there were 30 is ${isGrown ? '' : 'not '}too much of "${what}"`, (t) => {
    t.is(grown(new Map([[what, 30]]), new Map([[what, level]])).length > 0, isGrown)
  })

test('of several looks at a thing the least counts', (t) => {
  const first = new Map([['broker: consumers', 88]])
  t.deepEqual(leastOf(new Map([['broker: consumers', 89]]), first), first)
  t.deepEqual(leastOf(first, undefined), first)
})
