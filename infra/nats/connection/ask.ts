import { errors } from 'nats'

import { brokerAway, classify } from './classify.ts'

/** Long enough for a disk that is busy; a write that is read back takes two of these, and a person still waits. */
export const answerWithinMs = 2_500

/** One question to the broker: refused at once when it is away, and ended when no answer comes. */
export async function ask<Result>(isAway: () => boolean, run: () => Promise<Result>): Promise<Result> {
  if (isAway()) throw brokerAway()
  let deadline: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(new errors.TimeoutError()), answerWithinMs)
  })
  try {
    return await Promise.race([run(), late])
  } catch (error) {
    throw classify(error)
  } finally {
    clearTimeout(deadline)
  }
}
