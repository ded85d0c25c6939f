import test from 'ava'

import type { Attempted } from '../../actors/attempt/attempted.ts'
import { createQuarantine, noTurn } from '../../actors/attempt/quarantine.ts'
import type { Quarantine } from '../../actors/attempt/quarantine.ts'

interface Guest {
  readonly isIn: () => boolean
  /** Lets it go, and waits until it has gone. */
  leave(): Promise<void>
  readonly passed: Promise<Attempted<string>>
}

function aGuest(quarantine: Quarantine, input: { isSuspect: boolean; signal?: AbortSignal }): Guest {
  let isIn = false
  let end = (): void => undefined
  const signal = input.signal ?? new AbortController().signal
  const passed = quarantine.pass({ isSuspect: input.isSuspect, signal }, async () => {
    isIn = true
    await new Promise<void>((resolve) => {
      end = resolve
    })
    isIn = false
    return { kind: 'done', value: 'passed' }
  })
  return {
    isIn: () => isIn,
    passed,
    async leave() {
      end()
      await passed
      await settled()
    },
  }
}

/** Whoever may go on has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('work that came for the first time runs with others', async (t) => {
  const quarantine = createQuarantine()
  const guests = [aGuest(quarantine, { isSuspect: false }), aGuest(quarantine, { isSuspect: false })]
  await settled()
  t.deepEqual(
    guests.map((guest) => guest.isIn()),
    [true, true],
  )
})

test('work that came again waits until all others are done, and nobody comes in while it runs', async (t) => {
  const quarantine = createQuarantine()
  const before = aGuest(quarantine, { isSuspect: false })
  const suspect = aGuest(quarantine, { isSuspect: true })
  const after = aGuest(quarantine, { isSuspect: false })
  await settled()
  t.deepEqual([before.isIn(), suspect.isIn(), after.isIn()], [true, false, false])
  await before.leave()
  t.deepEqual([suspect.isIn(), after.isIn()], [true, false])
  await suspect.leave()
  t.true(after.isIn())
})

test('two that came again run one after the other', async (t) => {
  const quarantine = createQuarantine()
  const [first, second] = [aGuest(quarantine, { isSuspect: true }), aGuest(quarantine, { isSuspect: true })]
  await settled()
  t.deepEqual([first.isIn(), second.isIn()], [true, false])
  await first.leave()
  t.true(second.isIn())
})

test('work that fails opens the door, and its failure is its own', async (t) => {
  const quarantine = createQuarantine()
  const signal = new AbortController().signal
  await t.throwsAsync(
    quarantine.pass({ isSuspect: true, signal }, () => Promise.reject(new Error('no sound'))),
    { message: 'no sound' },
  )
  const next = aGuest(quarantine, { isSuspect: false })
  await settled()
  t.true(next.isIn())
})

test('who waits until its time is over has had no turn, and lets nobody in before the one it waited for is done', async (t) => {
  const quarantine = createQuarantine()
  const suspect = aGuest(quarantine, { isSuspect: true })
  const controller = new AbortController()
  const impatient = aGuest(quarantine, { isSuspect: true, signal: controller.signal })
  const last = aGuest(quarantine, { isSuspect: false })
  await settled()
  controller.abort()
  t.is(await impatient.passed, noTurn)
  await settled()
  t.deepEqual([suspect.isIn(), impatient.isIn(), last.isIn()], [true, false, false])
  await suspect.leave()
  t.true(last.isIn())
})
