import { lastReleaseIsKnown } from '../support/last-release.ts'
import { testWhere } from '../support/test-where.ts'
import { aShortRun, brokenRules } from './short-run.ts'

/** A copy of this repository may come without its history. */
const testWithHistory = await testWhere('chaos beside the last release', lastReleaseIsKnown, { mustRunInCi: false })

testWithHistory('with gateways and workers of two versions nothing is lost and nothing is doubled', async (t) => {
  const summary = await aShortRun(t, { profile: 'single', seed: 4, isMixed: true })
  t.deepEqual(brokenRules(summary), {}, summary.replay)
  t.true(summary.faults > 0 && summary.operations > 0)
})
