import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Records } from '../../actors/ports.ts'
import { startProcess } from '../sim/process.ts'
import { createRandom } from '../sim/random.ts'
import { createStore } from '../sim/stores.ts'
import { createWorld, epochMs } from '../sim/world.ts'
import type { World } from '../sim/world.ts'
import { recordsContract } from './records.ts'
import type { NoteRecord } from './records.ts'

/** What the simulator takes for a broker owes the same as the broker. */
recordsContract(test, (t) => Promise.resolve(simulatedRecords(t)))

function simulatedRecords(t: ExecutionContext): Records<NoteRecord> {
  const virtual = createWorld(createRandom(1, 'contract'))
  // the contract looks at a real clock
  const world: World = { ...virtual, nowMs: () => Date.now() - epochMs }
  const story = { isOver: false }
  t.teardown(() => {
    story.isOver = true
  })
  const turn = async (): Promise<void> => {
    while (!story.isOver) {
      await virtual.run({ isOver: () => story.isOver, untilMs: Infinity, afterEach: () => undefined })
      // the test has its turn
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  void turn()
  const store = createStore<NoteRecord>(world, { name: 'notes', breaks: { staleDecisions: false, blindWrites: false } })
  return store.portFor(startProcess(virtual, 'test'))
}
