import type { ExecutionContext } from 'ava'

import { startWorker } from '../../actors/main.ts'
import type { RunningWorker, WorkerRoleOptions } from '../../actors/main.ts'
import type { Faults } from '../../actors/ports.ts'
import { readConfig } from '../../infra/config/config.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { prepareBroker } from '../../infra/up/prepare-broker.ts'
import { uploadForm } from './api.ts'
import type { Api, ApiAnswer, UploadPart } from './api.ts'
import { eventually } from './eventually.ts'
import { aFolder } from './folder.ts'
import { aGateway, asRole, gatewayEnvironment } from './gateway.ts'
import type { TestGateway } from './gateway.ts'
import type { TestNats } from './nats.ts'
import { startVaak } from './processes.ts'
import type { VaakProcess } from './processes.ts'
import { silentLog } from './silent-log.ts'

/**
 * A gateway and workers on one broker and one storage: recordings go in, transcripts come out. Each test has its own. At the broker each may
 * do what its role may, and no more.
 */
export interface Pipeline {
  readonly nats: TestNats
  readonly gateway: TestGateway
  readonly api: Api
  readonly dataDir: string
  readonly startWorker: (environment?: Readonly<Record<string, string>>) => Promise<VaakProcess>
  /** In this process: sooner there, and a test may interfere. */
  readonly addWorker: (faults?: Faults, startActor?: WorkerRoleOptions['startActor']) => Promise<RunningWorker>
  /** Uploads recordings and submits them together; resolves when the batch is accepted. */
  readonly submit: (recordings: readonly UploadPart[], options?: object) => Promise<SubmittedBatch>
}

export interface SubmittedBatch {
  readonly batchId: string
  readonly fileIds: readonly string[]
  status(): Promise<ApiAnswer['body']>
  results(query?: string): Promise<ApiAnswer['body']>
  /** Resolves with the merged results when nothing is open any more. */
  finished(withinMs?: number): Promise<ApiAnswer['body']>
}

/** Time runs about twenty times as fast as in earnest. */
export const hurried = {
  RECOGNISER: 'scripted',
  ACK_WAIT_MS: '1500',
  STALE_MS: '2000',
  SWEEP_MS: '500',
  NEWS_AFTER_MS: '0',
  CHUNK_RETRY_INTERVALS: '0.2,0.2,0.2',
  FILE_RETRY_INTERVALS: '0.2,0.2,0.2',
  CHUNK_RETRY_INTERVALS_SEPARATE: '0.2,0.2,0.2',
}
const finishedWithinMs = 120_000

export async function aPipeline(
  t: ExecutionContext,
  nats: TestNats,
  environment: Readonly<Record<string, string>> = {},
): Promise<Pipeline> {
  const dataDir = await aFolder(t)
  const common = { ...hurried, ...environment }
  const workerEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string> =>
    gatewayEnvironment(nats, { dataDir, environment: { ...asRole(nats, 'worker'), ...common, ...more } })
  const asOperator = readConfig(gatewayEnvironment(nats, { dataDir, environment: common }))
  await prepareBroker(nats, { config: asOperator, log: silentLog })
  const gateway = await aGateway(t, nats, { dataDir, environment: { ...asRole(nats, 'gateway'), ...common } })
  const { api } = gateway
  return {
    nats,
    gateway,
    api,
    dataDir,
    async startWorker(more = {}) {
      const worker = startVaak(t, ['worker'], workerEnvironment(more))
      await worker.ready()
      return worker
    },
    async addWorker(faults = noFaults, startActor) {
      const config = readConfig(workerEnvironment())
      const worker = await startWorker(config, {
        log: silentLog,
        faults,
        cacheDir: dataDir,
        ...(startActor && { startActor }),
      })
      t.teardown(() => worker.close())
      return worker
    },
    submit: (recordings, options = {}) => submit(api, recordings, options),
  }
}

export async function submit(api: Api, recordings: readonly UploadPart[], options: object): Promise<SubmittedBatch> {
  const upload = await uploadRecordings(api, recordings)
  // the same recording may be submitted again and again, to see it transcribed
  const json = { batch_upload_id: upload, deduplicate: false, ...options }
  const accepted = await api.post('/transcribe/batch', { json })
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
  return submitted(api, accepted.body)
}

/** Resolves with the id of the upload when all of it is stored. */
export async function uploadRecordings(api: Api, recordings: readonly UploadPart[]): Promise<string> {
  const { body } = await api.post('/files/upload', { body: uploadForm(...recordings) })
  const upload: string = body.batch_upload_id
  await eventually('the files are stored', async () => {
    const { body: status } = await api.get(`/files/upload/${upload}`)
    return status.status === 'completed'
  })
  return upload
}

export function submitted(api: Api, accepted: ApiAnswer['body']): SubmittedBatch {
  const batchId: string = accepted.batch_id
  const status = async (): Promise<ApiAnswer['body']> => (await api.get(`/transcribe/status/batch/${batchId}`)).body
  const results = async (query = ''): Promise<ApiAnswer['body']> =>
    (await api.get(`/transcribe/results/batch/${batchId}${query}`)).body
  return {
    batchId,
    fileIds: accepted.jobs.map((job: { file_id: string }) => job.file_id),
    status,
    results,
    async finished(withinMs = finishedWithinMs) {
      await eventually(
        'the batch is finished',
        async () => ['completed', 'partial', 'failed'].includes((await status()).status),
        withinMs,
      )
      return results('?limit=200')
    },
  }
}
