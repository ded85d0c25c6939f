import { AsyncLocalStorage } from 'node:async_hooks'

import { createRecentUse } from '../../../actors/recent-use.ts'
import { systemClock } from '../../timing/clock.ts'

/** Milliseconds of a processor that each user had of the models of this process: one account for all of them, whatever they do. */
export const modelTime = createRecentUse(systemClock)

/**
 * Who had more lately gives way to everybody: half a core all the time, or twenty seconds of one at once. Whoever talks, and is
 * listened to meanwhile, or has something short transcribed, stays below.
 */
const patientFromMs = 20_000

export function isPatient(asker: string): boolean {
  return modelTime.of(asker) > patientFromMs
}

/** As traces are: who asks is known where work begins, and counts where it meets a model, with ten others in between. */
const askers = new AsyncLocalStorage<string>()

/** Whatever models do inside of it is done for this user. */
export function onBehalfOf<Result>(asker: string | undefined, work: () => Result): Result {
  return asker === undefined ? work() : askers.run(asker, work)
}

/** Empty when it is for nobody: what is opened and tried beforehand. */
export function whoAsks(): string {
  return askers.getStore() ?? ''
}
