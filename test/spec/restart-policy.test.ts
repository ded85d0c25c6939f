import test from 'ava'

import { afterDeath } from '../../infra/process/restart-policy.ts'

const policy = { firstDelayMs: 100, longestDelayMs: 300, deathsMax: 4, windowMs: 1_000 }

test('each further death waits longer, up to the longest delay', (t) => {
  const delays = [[], [1], [1, 2], [1, 2, 3]].map((deaths) => {
    const next = afterDeath(policy, deaths, 10)
    return next.restart ? next.delayMs : 'given up'
  })
  t.deepEqual(delays, [100, 200, 300, 300])
})

test('one death too many within the window is given up', (t) => {
  t.false(afterDeath(policy, [1, 2, 3, 4], 10).restart)
})

test('deaths of long ago are forgiven', (t) => {
  t.deepEqual(afterDeath(policy, [1, 2, 3, 4], 2_000), { restart: true, delayMs: 100, recentDeaths: [2_000] })
})
