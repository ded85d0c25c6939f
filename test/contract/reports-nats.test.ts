import test from 'ava'

import { openReports } from '../../infra/nats/reports/reports.ts'
import { runReports } from '../../infra/nats/reports/run-reports.ts'
import { aNatsServer } from '../support/nats.ts'
import { aWorkerClient, unwanted } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'
import { reportsContract } from './reports.ts'

const ackWaitMs = 30_000

reportsContract(test, async (t) => {
  const client = await aWorkerClient(t, await aNatsServer(t), { ackWaitMs })
  return {
    reports: openReports(client),
    run(handle) {
      const running = runReports({ client, handle, giveUp: unwanted, ackWaitMs, log: silentLog })
      t.teardown(() => running.drain(0))
      return running
    },
  }
})
