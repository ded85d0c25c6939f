import type { Log } from '../../../actors/ports.ts'
import { isOfNewerForm } from '../connection/form.ts'
import type { Delivery } from './delivery.ts'

/** A newer worker is there soon, or an operator looks; meanwhile the same message is not passed round all the time. */
const leftForMs = 5_000

/** True when only a newer version knows what to do with it: then it is handed back, while old and new workers run side by side. */
export function leftToNewer(delivery: Delivery, log: Log): boolean {
  if (!isOfNewerForm(delivery.body)) return false
  log.info('a message of a newer version is left to a newer worker', { deliveries: delivery.deliveries })
  delivery.nak(leftForMs)
  return true
}
