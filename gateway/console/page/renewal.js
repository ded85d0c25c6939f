import { renew } from './issuer-sign-in.js'
import { grant } from './session.js'

/** Renewed with this part of its time left, and no earlier than this before its end. */
const restShare = 0.25
const restMaxMs = 60_000
const lookEveryMs = 5_000

/** Renews the token of who signed in before it ends. Looks every now and then: a timer set for later stands still while the machine sleeps. */
export function keepSignedIn() {
  setInterval(() => {
    const { refreshToken, untilMs, forMs } = grant() ?? {}
    if (refreshToken === undefined || untilMs === undefined) return
    if (untilMs - Date.now() < Math.min(restMaxMs, forMs * restShare)) void renew()
  }, lookEveryMs)
}
