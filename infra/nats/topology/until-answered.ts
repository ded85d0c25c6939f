import { setTimeout as pause } from 'node:timers/promises'

import { isRetryable } from '../../../actors/failure.ts'
import { classify, isForGood, isNotAllowed, isWithoutPeers } from '../connection/classify.ts'

const askAgainMs = 250
/** A cluster that elects who leads a stream answers nobody; what is asked for again is changed once. */
const answeredWithinMs = 120_000
/** A cluster that is busy, or has just come up, may not know all its nodes; one that is too small has no more of them later. */
const knownWithinMs = 30_000

export async function untilAnswered<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (const beganMs = performance.now(); ; await pause(askAgainMs)) {
    try {
      return await request()
    } catch (error) {
      if (performance.now() - beganMs >= patienceWith(error)) throw error
    }
  }
}

function patienceWith(error: unknown): number {
  if (isNotAllowed(error) || isForGood(error)) return 0
  if (isRetryable(classify(error))) return answeredWithinMs
  return isWithoutPeers(error) ? knownWithinMs : 0
}
