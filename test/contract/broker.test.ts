import test from 'ava'
import type { ExecutionContext } from 'ava'

import { aNatsServer } from '../support/nats.ts'
import { aFileRef } from '../support/queues.ts'
import { natsBroker, TooSlow } from './broker-nats.ts'
import { afterItsTime, play, scriptOf } from './broker-script.ts'
import type { Step } from './broker-script.ts'
import { simulatedBroker } from './broker-simulated.ts'

/** What the simulator proves, it proves for a broker that behaves as the model does. Here the model is held against a real one. */

const seeds = [1, 2, 3, 4, 5, 6]
const triesMax = 3

const same = test.macro(async (t, of: { readonly seed: number; readonly steps: readonly Step[] }) => {
  t.timeout(300_000)
  const expected = await play(simulatedBroker(of.seed, aFileRef()), of.steps)
  t.deepEqual(await playedForReal(t, of.steps, expected), expected)
})

for (const seed of seeds)
  test.serial(`a script of steps has the same story on the model as on a real broker (seed ${seed})`, same, {
    seed,
    steps: scriptOf(seed),
  })

test.serial('what waited for its time is remembered by the model as by a real broker', same, {
  seed: 0,
  steps: afterItsTime,
})

async function playedForReal(
  t: ExecutionContext,
  steps: readonly Step[],
  expected: readonly string[],
): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await play(await natsBroker(t, await aNatsServer(t), aFileRef()), steps, expected)
    } catch (error) {
      if (!(error instanceof TooSlow) || tries === triesMax) throw error
      t.log(error.message)
    }
  }
}
