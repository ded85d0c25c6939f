import { setTimeout as pause } from 'node:timers/promises'

import type { StreamInfo } from '@nats-io/jetstream'

import { answerWithinMs } from '../connection/ask.ts'
import { brokerAway } from '../connection/classify.ts'
import { isEstablished } from './leader.ts'

const lookAgainMs = 100

/**
 * What whoever leads a stream says of it; waits a little for one who can be believed. `knowsEnough`: no less than is known here
 * already. Of one copy there is nobody who could be behind.
 */
export async function leaderInfo(
  look: () => Promise<StreamInfo>,
  knowsEnough: (info: StreamInfo) => boolean = () => true,
): Promise<StreamInfo> {
  for (
    const deadlineMs = performance.now() + answerWithinMs;
    performance.now() < deadlineMs;
    await pause(lookAgainMs)
  ) {
    const info = await look()
    const isBelieved = info.config.num_replicas === 1 || isEstablished(info)
    if (isBelieved && knowsEnough(info)) return info
  }
  throw brokerAway()
}
