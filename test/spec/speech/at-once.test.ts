import { setImmediate as turn } from 'node:timers/promises'

import test from 'ava'

import { AtOnce } from '../../../infra/speech/threads/at-once.ts'
import { Slots } from '../../../infra/speech/threads/slots.ts'

test('no more steps run at once than the limit allows, and all of them run', async (t) => {
  const steps = new AtOnce(3)
  let running = 0
  let most = 0
  let ran = 0
  for (let step = 0; step < 10; step += 1)
    await steps.begin(async () => {
      most = Math.max(most, (running += 1))
      await turn()
      running -= 1
      ran += 1
    })
  await steps.finish()
  t.deepEqual({ most, ran }, { most: 3, ran: 10 })
})

test('after a failure nothing more is begun, and the first reason is the one that is told', async (t) => {
  const steps = new AtOnce(4)
  const failing = ['first', 'second'].map((reason) => steps.begin(() => Promise.reject(new Error(reason))))
  await Promise.all(failing)
  await steps.ended()
  await t.throwsAsync(
    steps.begin(() => Promise.resolve(t.fail())),
    { message: 'first' },
  )
  await t.throwsAsync(steps.finish(), { message: 'first' })
})

test('those who share places run no more steps together than there are, and fail for themselves', async (t) => {
  const slots = new Slots(2)
  const [failing, audio] = [new AtOnce(slots), new AtOnce(slots)]
  let release = (): void => undefined
  await audio.begin(() => new Promise<void>((resolve) => (release = resolve)))
  let fail: (reason: Error) => void = () => undefined
  await failing.begin(() => new Promise<void>((_, reject) => (fail = reject)))
  let began = false
  const third = audio.begin(() => Promise.resolve(void (began = true)))
  await turn()
  t.false(began)
  fail(new Error('no'))
  await third
  release()
  await t.notThrowsAsync(audio.finish())
  await t.throwsAsync(failing.finish(), { message: 'no' })
})

test('who waits for a place leaves with the signal', async (t) => {
  const steps = new AtOnce(1)
  let release = (): void => undefined
  await steps.begin(() => new Promise<void>((resolve) => (release = resolve)))
  const stopping = new AbortController()
  const waiting = steps.begin(() => Promise.resolve(t.fail()), stopping.signal)
  stopping.abort(new Error('enough'))
  await t.throwsAsync(waiting, { message: 'enough' })
  release()
  await t.notThrowsAsync(steps.finish())
})

test('a failure is told when those beside it have ended', async (t) => {
  const steps = new AtOnce(4)
  let release = (): void => undefined
  let ended = false
  await steps.begin(async () => {
    await new Promise<void>((resolve) => (release = resolve))
    ended = true
  })
  await steps.begin(() => Promise.reject(new Error('no')))
  const finishing = steps.finish().catch(() => t.true(ended))
  release()
  await finishing
  t.plan(1)
})
