import type { ExecutionContext } from 'ava'

import { Slots } from '../../infra/speech/threads/slots.ts'

/**
 * Tests of a file begin all at once. Those that start servers of their own take turns, a few at a time: otherwise a file of
 * twenty starts forty processes on two cores, and what is measured is the machine.
 */
const atOnce = 3
const slots = new Slots(atOnce)
const holders = new WeakMap<ExecutionContext, Promise<void>>()

/** Resolves when it is this test's turn, which lasts until its end. Who asks again has it already. */
export function turnOf(t: ExecutionContext): Promise<void> {
  const held = holders.get(t)
  if (held) return held
  const turn = slots.take()
  holders.set(t, turn)
  t.teardown(async () => {
    await turn
    slots.give()
  })
  return turn
}
