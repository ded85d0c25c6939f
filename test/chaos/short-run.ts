import type { ExecutionContext } from 'ava'

import { kindsFor } from './nemesis/plan.ts'
import { chaosSummary } from './report/summary.ts'
import type { ChaosSummary } from './report/summary.ts'
import { runChaos } from './run.ts'
import type { ChaosOptions } from './run.ts'

const timeoutMs = 600_000

/** A run that fits into a test; a machine that is busy may take longer over it, and only over it. */
export async function aShortRun(
  t: ExecutionContext,
  options: Partial<ChaosOptions> & Pick<ChaosOptions, 'profile' | 'seed'>,
): Promise<ChaosSummary> {
  t.timeout(timeoutMs)
  const run = await runChaos({
    minutes: 0.35,
    kinds: kindsFor(options.profile),
    users: 3,
    drainSeconds: 240,
    ...options,
    say: () => undefined,
  })
  return chaosSummary(run)
}

/** The rules that did not hold, with what is wrong. */
export function brokenRules({ verdicts }: ChaosSummary): Record<string, readonly string[]> {
  return Object.fromEntries(
    verdicts.filter(({ complaints }) => complaints.length > 0).map(({ check, complaints }) => [check, complaints]),
  )
}
