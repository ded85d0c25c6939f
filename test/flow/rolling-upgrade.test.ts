import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import type { ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { clientOf, gatewayEnvironment } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { lastReleaseIsKnown, theLastRelease } from '../support/last-release.ts'
import { aNatsServer } from '../support/nats.ts'
import { hurried, submit, submitted } from '../support/pipeline.ts'
import type { SubmittedBatch } from '../support/pipeline.ts'
import { runVaak, startProgram } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { aScriptedRecording, textsOf } from '../support/scripted-speech.ts'
import { testWhere } from '../support/test-where.ts'

/** As infra/docs/upgrading.md says it is done, with real processes of both versions on one broker and one storage. */

/** A copy of this repository may come without its history. */
const testWithHistory = await testWhere('an upgrade from the last release', lastReleaseIsKnown, { mustRunInCi: false })

const recordings = (first: number) =>
  Array.from({ length: 4 }, (_, file) => ({
    name: `${first + file}.wav`,
    content: aScriptedRecording(
      Array.from({ length: 5 }, (_second, at) => ({
        audio: first + file * 100 + at,
        commands: [{ stage: 'transcribe' as const, act: 'wait' as const, ms: 150 }],
      })),
    ),
  }))

/** The last version knows nothing of bytes that are the same. */
const asBefore = { deduplicate: undefined }

testWithHistory(
  'gateways and workers are replaced one by one while files are under way, and nothing is lost',
  async (t) => {
    t.timeout(240_000)
    const cluster = await aCluster(t)
    const old = await theLastRelease(t)
    const [oldGateway, oldWorker, doomed] = [
      await cluster.gateway(old),
      await cluster.worker(old),
      await cluster.worker(old),
    ]
    const before = recordings(1_000)
    const first = await submit(oldGateway.api, before, asBefore)
    await eventually('the old version is at it', async () => (await first.status()).files_completed > 0)

    await cluster.migrate()
    const newWorker = await cluster.worker()
    const between = recordings(2_000)
    const second = await submit(oldGateway.api, between, asBefore)
    await doomed.kill9()
    const newGateway = await cluster.gateway()
    const after = recordings(3_000)
    const third = await submit(newGateway.api, after, {})
    t.deepEqual(await oldWorker.stop(), { code: 0, signal: null })
    t.deepEqual(await oldGateway.process.stop(), { code: 0, signal: null })

    const seenByNew = (batch: SubmittedBatch): SubmittedBatch =>
      submitted(newGateway.api, { batch_id: batch.batchId, jobs: [] })
    await allComplete(t, seenByNew(first), before)
    await allComplete(t, seenByNew(second), between)
    await allComplete(t, third, after)
    await cluster.migrate()
    t.is(await cluster.migrate(), 'The broker is as expected.\n')
    t.deepEqual(await newWorker.stop(), { code: 0, signal: null })
  },
)

testWithHistory(
  'what only the new version can do waits until no old worker is left, and nothing else waits for it',
  async (t) => {
    t.timeout(240_000)
    const cluster = await aCluster(t)
    const oldWorker = await cluster.worker(await theLastRelease(t))
    await cluster.migrate()
    const { api } = await cluster.gateway()
    const [secret] = recordings(4_000)
    const redacted = await submit(api, [secret!], { redact: ['phone'] })
    const others = recordings(5_000)
    await allComplete(t, await submit(api, others, {}), others)
    t.is((await redacted.status()).status, 'queued', 'it would not have taken anything out')

    const newWorker = await cluster.worker()
    const more = recordings(6_000)
    await allComplete(t, await submit(api, more, {}), more)
    t.deepEqual(await oldWorker.stop(), { code: 0, signal: null })
    await allComplete(t, redacted, [secret!])
    t.deepEqual(await newWorker.stop(), { code: 0, signal: null })
  },
)

interface Cluster {
  /** Of this version, or of the program that is given. */
  gateway(program?: string): Promise<Omit<TestGateway, 'close'> & { readonly process: VaakProcess }>
  worker(program?: string): Promise<VaakProcess>
  /** Resolves with what it said. */
  migrate(): Promise<string>
}

async function aCluster(t: ExecutionContext): Promise<Cluster> {
  const nats = await aNatsServer(t)
  const storage = { STORAGE_URL: `disk:${join(await aFolder(t), 'objects')}` }
  const settings = async (): Promise<Record<string, string>> =>
    gatewayEnvironment(nats, { dataDir: await aFolder(t), environment: { ...hurried, ...storage } })
  const start = (role: string, environment: Record<string, string>, program?: string): VaakProcess =>
    startProgram(t, { ...(program !== undefined && { program }), words: [role], environment })
  return {
    async gateway(program) {
      const environment = await settings()
      const process = start('gateway', environment, program)
      const url = await process.ready()
      return { process, ...(await clientOf(t, { url, dataDir: environment['DATA_DIR']! })) }
    },
    async worker(program) {
      const worker = start('worker', await settings(), program)
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

async function allComplete(
  t: ExecutionContext,
  batch: SubmittedBatch,
  given: ReturnType<typeof recordings>,
): Promise<void> {
  const { files } = await batch.finished()
  t.deepEqual(
    files.map((file: ApiAnswer['body']) => [file.status, file.result?.text]),
    given.map(({ content }) => ['completed', textsOf(content).join(' ')]),
  )
}
