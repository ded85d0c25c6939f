import test from 'ava'

import { runWork } from '../../infra/nats/queue/run-work.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { aNatsServer } from '../support/nats.ts'
import { aWorkerClient, unwanted } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'
import { workQueueContract } from './work-queue.ts'

const ackWaitMs = 30_000

workQueueContract(test, async (t, { isSeparate }) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  return {
    queue: await openWorkQueue(client, { queue: chunkQueue, isSeparate, clock: systemClock }),
    run(options) {
      const running = runWork({
        client,
        queue: chunkQueue,
        giveUp: unwanted,
        ackWaitMs,
        deadlineMs: 60_000,
        clock: systemClock,
        log: silentLog,
        ...options,
      })
      t.teardown(() => running.drain(0))
      return running
    },
  }
})
