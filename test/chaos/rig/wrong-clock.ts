import { readFileSync } from 'node:fs'

import { clockFileVariable } from './clock-file.ts'

/**
 * Loaded before a role: its wall clock is as wrong as a file says, which may change at any time. Its monotonic clock and its timers stay
 * right, as on a machine whose clock is set.
 */

const lookEveryMs = 100
const file = process.env[clockFileVariable] ?? ''
const rightDate = Date
let offsetMs = 0
const look = (): void => {
  offsetMs = Number(readFileSync(file, 'utf8'))
}
const wrongNow = (): number => rightDate.now() + offsetMs

look()
setInterval(look, lookEveryMs).unref()
globalThis.Date = new Proxy(rightDate, {
  construct: (target, given: unknown[], newTarget: typeof Date) =>
    Reflect.construct(
      target,
      given.length === 0 ? [wrongNow()] : given,
      newTarget === globalThis.Date ? target : newTarget,
    ),
  get: (target, name, receiver) => (name === 'now' ? wrongNow : Reflect.get(target, name, receiver)),
})
