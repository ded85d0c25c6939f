import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { aFolder } from './folder.ts'
import { clientOf, gatewayEnvironment } from './gateway.ts'
import type { TestGateway } from './gateway.ts'
import { aNatsServer } from './nats.ts'
import type { TestNats } from './nats.ts'
import { hurried } from './pipeline.ts'
import { runVaak, startProgram } from './processes.ts'
import type { VaakProcess } from './processes.ts'

/** Of this version, unless a program is given. */
interface RoleStart {
  readonly program?: string
  /** To start again on what another left. */
  readonly dataDir?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Processes of two versions on one broker and one storage. */
export interface ClusterOfVersions {
  readonly nats: TestNats
  /** Has the objects. */
  readonly folder: string
  gateway(start?: RoleStart): Promise<Omit<TestGateway, 'close'> & { readonly process: VaakProcess }>
  worker(start?: RoleStart): Promise<VaakProcess>
  /** Resolves with what it said. */
  migrate(): Promise<string>
}

export async function aClusterOfVersions(t: ExecutionContext): Promise<ClusterOfVersions> {
  const nats = await aNatsServer(t)
  const folder = await aFolder(t)
  const storage = { STORAGE_URL: `disk:${join(folder, 'objects')}` }
  const settings = async ({ dataDir, environment }: RoleStart = {}): Promise<Record<string, string>> =>
    gatewayEnvironment(nats, {
      dataDir: dataDir ?? (await aFolder(t)),
      environment: { ...hurried, ...storage, ...environment },
    })
  const start = (role: string, environment: Record<string, string>, program?: string): VaakProcess =>
    startProgram(t, { ...(program !== undefined && { program }), words: [role], environment })
  return {
    nats,
    folder,
    async gateway(given) {
      const environment = await settings(given)
      const process = start('gateway', environment, given?.program)
      const url = await process.ready()
      return { process, ...(await clientOf(t, { url, dataDir: environment['DATA_DIR']! })) }
    },
    async worker(given) {
      const worker = start('worker', await settings(given), given?.program)
      await worker.ready()
      return worker
    },
    async migrate() {
      const { code, stdout, stderr } = await runVaak(t, ['migrate', '--yes'], await settings())
      t.is(code, 0, stderr)
      return stdout
    },
  }
}
