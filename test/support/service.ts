import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ExecutionContext, TestFn } from 'ava'

import type { Owner } from '../../actors/ids.ts'
import { startGateway } from '../../gateway/main.ts'
import type { RunningGateway } from '../../gateway/main.ts'
import { readConfig } from '../../infra/config/config.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { noFaults } from '../../infra/process/faults.ts'
import type { Api } from './api.ts'
import { removeFolder } from './folder.ts'
import { clientOf, gatewayEnvironment } from './gateway.ts'
import type { TestGateway } from './gateway.ts'
import { startTestNats } from './nats.ts'
import type { TestNats } from './nats.ts'
import { silentLog } from './silent-log.ts'
import { storedIn } from './stored.ts'
import type { StoredBatch } from './stored.ts'

/** One broker and one gateway for all tests of a file. Each test is a user of its own, so that they never meet. */
export interface SharedService {
  readonly nats: TestNats
  readonly url: string
  readonly dataDir: string
  readonly spoolFolder: string
  user(t: ExecutionContext): Promise<TestUser>
  tokenOf(t: ExecutionContext, name: string): Promise<string>
  /** The records behind the gateway. */
  stored(): Promise<StoredBatch>
}

export interface TestUser {
  readonly name: string
  readonly owner: Owner
  readonly token: string
  readonly api: Api
}

const developmentIssuer = 'vaak:development'

export function sharedService(test: TestFn, environment: Record<string, string> = {}): SharedService {
  let nats: TestNats | undefined
  let gateway: RunningGateway | undefined
  let dataDir = ''
  let stored: Promise<StoredBatch> | undefined
  let users = 0

  test.before(async () => {
    nats = await startTestNats()
    dataDir = await mkdtemp(join(tmpdir(), 'vaak-test-'))
    const config = readConfig(gatewayEnvironment(nats, { dataDir, environment }))
    gateway = await startGateway(config, { log: silentLog, faults: noFaults })
  })
  test.after.always(async () => {
    await gateway?.close()
    await nats?.stop()
    await removeFolder(dataDir)
  })

  const client = (t: ExecutionContext): Promise<Omit<TestGateway, 'close'>> =>
    clientOf(t, { url: running(gateway).url, dataDir })
  return {
    get nats() {
      return running(nats)
    },
    get url() {
      return running(gateway).url
    },
    get dataDir() {
      return dataDir
    },
    get spoolFolder() {
      return join(dataDir, 'spool')
    },
    async user(t) {
      users += 1
      const name = `user-${users}`
      const { tokenOf, api } = await client(t)
      const token = await tokenOf(name)
      return { name, token, api: api.as(token), owner: ownerOf(name) }
    },
    tokenOf: async (t, name) => (await client(t)).tokenOf(name),
    stored: () => (stored ??= storedIn(running(nats))),
  }
}

/** As records know a user of the development issuer. */
export function ownerOf(user: string): Owner {
  return principalOf(developmentIssuer, user).owner
}

function running<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('the service has not been started')
  return thing
}
