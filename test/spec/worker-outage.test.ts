import test from 'ava'

import { away, retryable } from '../../actors/failure.ts'
import { watchOutage } from '../../actors/worker/outage.ts'
import { createWaits } from '../../actors/worker/waits.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'

const gone = away('storage_unavailable', 'It is away.')

/** Each pause ends when the test says so. */
function aScene(answers: readonly (Error | undefined)[]) {
  const left = [...answers]
  const pauses: number[] = []
  let end = (): void => undefined
  const clock = aManualClock()
  const waits = createWaits(clock)
  const log = aLog()
  const outage = watchOutage({
    what: 'storage',
    code: 'storage_unavailable',
    waits,
    log,
    async check() {
      const answer = left.shift()
      if (answer) throw answer
    },
    pauseAfter: (failures) => {
      pauses.push(failures)
      return new Promise((resolve) => (end = resolve))
    },
  })
  const probe = async (): Promise<void> => {
    end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { outage, waits, pauses, probe, log }
}

test('work that met storage away begins an outage, which ends when a check passes', async (t) => {
  const { outage, waits, pauses, probe } = aScene([gone, gone, undefined])
  t.false(outage.isOn())
  outage.suspect(gone)
  t.true(outage.isOn())
  t.is(waits.current()?.what, 'storage')
  await probe()
  await probe()
  t.true(outage.isOn())
  t.deepEqual(pauses, [1, 2, 3], 'the longer it lasts the more rarely it is looked for')
  await probe()
  t.false(outage.isOn())
  t.is(waits.current(), undefined)
})

test('work that failed for another reason begins none', (t) => {
  const { outage } = aScene([])
  for (const error of [
    retryable('overloaded', 'Come back later.'),
    away('models_unavailable', 'A model cannot be fetched.'),
    new Error('a bug'),
  ])
    outage.suspect(error)
  t.false(outage.isOn())
})

test('all who meet it are one outage, and it is told once', async (t) => {
  const { outage, pauses, probe, log } = aScene([gone, undefined])
  for (let times = 0; times < 3; times += 1) outage.suspect(gone)
  await probe()
  outage.suspect(gone)
  t.deepEqual(pauses, [1, 2])
  await probe()
  t.deepEqual(
    log.lines.map(({ level }) => level),
    ['warn', 'info'],
  )
})

test('who stops looks no more', async (t) => {
  const { outage, pauses, probe } = aScene([gone])
  outage.suspect(gone)
  outage.stop()
  await probe()
  outage.suspect(gone)
  t.deepEqual(pauses, [1])
})
