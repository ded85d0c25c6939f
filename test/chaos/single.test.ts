import test from 'ava'

import { aShortRun, brokenRules } from './short-run.ts'

test('with one broker nothing is lost and nothing is doubled while things break', async (t) => {
  const summary = await aShortRun(t, { profile: 'single', seed: 3 })
  t.deepEqual(brokenRules(summary), {}, summary.replay)
  t.true(summary.faults > 0 && summary.operations > 0)
})
