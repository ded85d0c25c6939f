import type { ExecutionContext, TestFn } from 'ava'

import { startWorker } from '../../actors/main.ts'
import type { RunningWorker } from '../../actors/main.ts'
import { readConfig } from '../../infra/config/config.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { gatewayEnvironment } from './gateway.ts'
import { hurried } from './pipeline.ts'
import { sharedService } from './service.ts'
import type { SharedService, TestUser } from './service.ts'
import { silentLog } from './silent-log.ts'

/** A service whose console is opened; what is heard is scripted, and by nobody until a worker is added. */
interface ScriptedConsole {
  readonly service: SharedService
  /** One for all tests of the file. */
  addWorker(): Promise<void>
  aPerson(t: ExecutionContext): Promise<TestUser & { readonly address: string }>
}

export function scriptedConsole(test: TestFn): ScriptedConsole {
  let worker: RunningWorker | undefined
  test.after.always(() => worker?.close())
  const service = sharedService(test, hurried)
  return {
    service,
    addWorker: async () => {
      const { nats, dataDir } = service
      const config = readConfig(gatewayEnvironment(nats, { dataDir, environment: hurried }))
      worker ??= await startWorker(config, { log: silentLog, faults: noFaults, cacheDir: dataDir })
    },
    aPerson: async (t) => {
      const user = await service.user(t)
      return { ...user, address: `${service.url}/#token=${user.token}` }
    },
  }
}
