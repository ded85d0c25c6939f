import test from 'ava'

import { aNatsServer } from '../support/nats.ts'
import { aFileRef } from '../support/queues.ts'
import { natsBroker } from './broker-nats.ts'
import { afterItsTime, afterKill, afterRestart, goesOn, play, brokerScriptOf } from './broker-script.ts'
import type { ScriptStep } from './broker-script.ts'
import { simulatedBroker } from './broker-simulated.ts'

/** What the simulator proves, it proves for a broker that behaves as the model does. Here the model is held against a real one. */

const seeds = [1, 2, 3, 4, 5, 6]

const same = test.macro(async (t, input: { readonly seed: number; readonly steps: readonly ScriptStep[] }) => {
  t.timeout(300_000)
  const expected = await play(simulatedBroker(input.seed, aFileRef()), input.steps)
  const broker = await natsBroker(t, await aNatsServer(t), aFileRef())
  t.deepEqual(await play(broker, input.steps, expected), expected)
})

for (const seed of seeds)
  test.serial(`a script of steps has the same story on the model as on a real broker (seed ${seed})`, same, {
    seed,
    steps: brokerScriptOf(seed),
  })

test.serial('what waited for its time is remembered by the model as by a real broker', same, {
  seed: 0,
  steps: afterItsTime,
})

test.serial('the model forgets in a restart what a real broker forgets', same, { seed: 0, steps: afterRestart })

test.serial('who was silent is heard by the model as by a real broker', same, { seed: 0, steps: goesOn })

test.serial('what a real broker knows after it was killed is what the model may know', async (t) => {
  t.timeout(300_000)
  const possible = new Set<string>()
  for (let seed = 1; seed <= 100; seed += 1) possible.add(await afterKill(simulatedBroker(seed, aFileRef())))
  t.deepEqual([...possible].sort(), ['1x1,2x1', '1x1,2x2', '1x2,2x1', '1x2,2x2'])
  for (let times = 0; times < 3; times += 1) {
    const came = await afterKill(await natsBroker(t, await aNatsServer(t), aFileRef()))
    t.true(possible.has(came), came)
  }
})
