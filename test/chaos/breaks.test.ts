import test from 'ava'

import { chaosBreaks } from './breaks.ts'
import type { ChaosBreak } from './breaks.ts'
import type { CheckName } from './check/checks.ts'
import type { FaultKind } from './nemesis/plan.ts'
import { aShortRun, brokenRules } from './short-run.ts'

/** So that faults meet chunks while they are heard. */
const slowShare = 0.7

/** Whether a fault meets what it breaks is a matter of luck, and a short run has two of them: a wrong build is caught by one of so many runs. */
const runsMax = 8

/** Each with the faults that it cannot stand, and the rule that must notice. */
const cases: Readonly<Record<ChaosBreak, { kinds: readonly FaultKind[]; rule: CheckName; drainSeconds: number }>> = {
  'ack-first': { kinds: ['worker-kill', 'thundering-herd'], rule: 'vanished', drainSeconds: 60 },
  'count-numbers': { kinds: ['duplicates'], rule: 'words', drainSeconds: 60 },
  'no-sweeper': { kinds: ['lost-message'], rule: 'accepted', drainSeconds: 25 },
  'overwrite-results': { kinds: ['worker-freeze'], rule: 'results', drainSeconds: 60 },
}

for (const [name, { kinds, rule, drainSeconds }] of Object.entries(cases) as [ChaosBreak, (typeof cases)[ChaosBreak]][])
  test.serial(`a build in which ${chaosBreaks[name]} is caught`, async (t) => {
    let found: ReturnType<typeof brokenRules> = {}
    for (let seed = 1; seed <= runsMax && !(rule in found); seed += 1)
      found = brokenRules(await aShortRun(t, { profile: 'single', seed, broken: name, kinds, drainSeconds, slowShare }))
    t.true(rule in found, JSON.stringify(found, null, 2))
  })
