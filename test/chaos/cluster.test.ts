import test from 'ava'

import { aShortRun, brokenRules } from './short-run.ts'

test('with a cluster of three nothing is lost and nothing is doubled while things break', async (t) => {
  const summary = await aShortRun(t, { profile: 'cluster', seed: 5 })
  t.deepEqual(brokenRules(summary), {}, summary.replay)
  t.true(summary.faults > 0 && summary.operations > 0)
})
