import type { JetStreamManager } from '@nats-io/jetstream'

import type { Log } from '../../../actors/ports.ts'
import { oldDueSubjects } from '../topology/queue-names.ts'
import type { WorkStream } from '../topology/queue-names.ts'

/** Whether the version before has left work in its lanes. Who cannot tell reads them: that costs little. */
export async function hasOldWork(input: {
  readonly jsm: JetStreamManager
  readonly stream: WorkStream
  readonly log: Log
}): Promise<boolean> {
  const { jsm, stream, log } = input
  try {
    const { state } = await jsm.streams.info(stream.name, { subjects_filter: oldDueSubjects(stream) })
    return Object.keys(state.subjects ?? {}).length > 0
  } catch (error) {
    log.info('nobody tells whether the version before has left work', { stream: stream.name, error })
    return true
  }
}
