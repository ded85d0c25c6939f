import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import { twoRecordings } from '../support/media.ts'
import { aNatsServer, startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { startVaak } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { objectsIn, recordingsIn, uploadsIn } from '../support/on-disk.ts'

/** A gateway that dies at once, at each step of its work, and what the next start makes of what it left. One at a time: each start keeps a core busy. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

for (const point of [...pointsOf('upload'), ...pointsOf('transfer')])
  test.serial(
    `a gateway killed at ${point} leaves a whole upload or none, and a repetition makes no second one`,
    async (t) => {
      const place = await aPlace(t)
      const killed = await place.startToDie(point)
      const upload = { body: uploadForm(...twoRecordings), headers: { 'Idempotency-Key': 'the-same' } }
      const first = await unlessCutOff(killed.api.post('/files/upload', upload))
      t.is((await killed.gateway.ended).signal, 'SIGKILL')
      if (point.startsWith('upload.')) t.is(first, undefined, 'the client got an answer')

      const api = await place.startAgain()
      const visible = (await api.get('/files')).body.total_files
      if (first) t.is(visible, 2, 'what was accepted is there at once')
      else t.true(visible === 0 || visible === 2, `${visible} of 2 files are visible`)

      const again = await api.post('/files/upload', upload)
      t.is(again.status, 202)
      if (first) t.deepEqual(again.body, first.body)
      await holdsExactly(t, { api, dataDir: place.dataDir, uploadId: again.body.batch_upload_id })
    },
  )

for (const point of ['upload.after-receive', 'upload.after-commit'] as const)
  test.serial(
    `an upload without a key, cut off by a kill at ${point}, ends completed or was never there`,
    async (t) => {
      const place = await aPlace(t)
      const killed = await place.startToDie(point)
      await unlessCutOff(killed.api.post('/files/upload', { body: uploadForm(...twoRecordings) }))
      t.is((await killed.gateway.ended).signal, 'SIGKILL')

      const api = await place.startAgain()
      const { body } = await api.get('/files')
      if (body.total_files > 0) {
        const uploadId = onlyOne<string>(body.files.map((file: { batch_upload_id: string }) => file.batch_upload_id))
        await holdsExactly(t, { api, dataDir: place.dataDir, uploadId })
      }
      t.is(body.total_files, point === 'upload.after-receive' ? 0 : 2)
      await eventually('the spool is empty', async () => (await uploadsIn(place.dataDir)).length === 0)
      t.is((await recordingsIn(place.dataDir)).length, body.total_files)
    },
  )

for (const point of pointsOf('purge'))
  test.serial(`a deletion killed at ${point} is finished by the next start`, async (t) => {
    // a broker of its own: whoever shares a broker also keeps the promises of others, with its own storage
    const place = await aPlace(t, await aNatsServer(t))
    const killed = await place.startToDie(point)
    const { body } = await killed.api.post('/files/upload', { body: uploadForm(...twoRecordings) })
    const { batch_upload_id: uploadId } = body
    await completed(killed.api, uploadId)
    const fileIds = body.files.map((file: { file_id: string }) => file.file_id)
    const answer = await unlessCutOff(killed.api.delete('/files', { json: { file_ids: fileIds } }))
    t.is(answer, undefined, 'the client got an answer')
    t.is((await killed.gateway.ended).signal, 'SIGKILL')

    const api = await place.startAgain()
    await eventually('no object is left', async () => (await objectsIn(place.dataDir)).length === 0)
    await eventually('the list is empty', async () => (await api.get('/files')).body.total_files === 0)
    t.is((await api.get(`/files/upload/${uploadId}`)).status, 404)
    t.is((await api.delete('/files', { json: { file_ids: fileIds } })).status, 404)
  })

for (const point of pointsOf('purge'))
  test.serial(`a deletion of a batch killed at ${point} is finished by the next start`, async (t) => {
    const place = await aPlace(t, await aNatsServer(t))
    const killed = await place.startToDie(point)
    const { body } = await killed.api.post('/files/upload', { body: uploadForm(...twoRecordings) })
    await completed(killed.api, body.batch_upload_id)
    const json = { batch_upload_id: body.batch_upload_id }
    const { batch_id: batchId } = (await killed.api.post('/transcribe/batch', { json })).body
    const answer = await unlessCutOff(killed.api.delete(`/transcribe/batch/${batchId}?files=true`))
    t.is(answer, undefined, 'the client got an answer')
    t.is((await killed.gateway.ended).signal, 'SIGKILL')

    const api = await place.startAgain()
    await eventually('no object is left', async () => (await objectsIn(place.dataDir)).length === 0)
    await eventually('no batch is listed', async () => (await api.get('/transcribe/batches')).body.count === 0)
    await eventually('no file is listed', async () => (await api.get('/files')).body.total_files === 0)
    t.is((await api.get(`/transcribe/status/batch/${batchId}`)).status, 404)
    t.is((await api.delete(`/transcribe/batch/${batchId}`)).status, 404)
  })

interface Place {
  readonly dataDir: string
  /** A process that dies at this point. */
  startToDie(point: FaultPoint): Promise<{ gateway: VaakProcess; api: Api }>
  /** On what it left behind; in this process, which has loaded everything already. */
  startAgain(): Promise<Api>
}

async function aPlace(t: ExecutionContext, broker = nats): Promise<Place> {
  const dataDir = await aFolder(t)
  // the broker is shared by the tests of this file, so each has a user of its own
  const user = t.title
  return {
    dataDir,
    async startToDie(point) {
      const environment = { FAULTS: `${point}:kill` }
      const gateway = startVaak(t, ['gateway'], gatewayEnvironment(broker, { dataDir, environment }))
      const { apiOf } = await clientOf(t, { url: await gateway.ready(), dataDir })
      return { gateway, api: await apiOf(user) }
    },
    async startAgain() {
      const gateway = await aGateway(t, broker, { dataDir })
      return gateway.apiOf(user)
    },
  }
}

async function holdsExactly(
  t: ExecutionContext,
  input: { api: Api; dataDir: string; uploadId: string },
): Promise<void> {
  const upload = await completed(input.api, input.uploadId)
  t.like(upload, { total_files: 2, completed: 2, failed: 0, uploading: 0, pending: 0 })
  const { body: list } = await input.api.get('/files')
  t.like(list, { total_files: 2, count: 2 })
  const listed = list.files.map((file: { filename: string; upload_status: string }) => [
    file.filename,
    file.upload_status,
  ])
  t.deepEqual(
    listed.sort(),
    twoRecordings.map(({ name }) => [name, 'completed']),
  )
  await eventually('the list counts them as completed', async () => {
    const counted = await Promise.all(
      ['pending', 'uploading', 'completed', 'failed'].map(
        async (status) => (await input.api.get(`/files?upload_status=${status}`)).body.total_files,
      ),
    )
    return counted.join() === '0,0,2,0'
  })
  await eventually('the spool is empty', async () => (await uploadsIn(input.dataDir)).length === 0)
  const stored = await Promise.all(
    (await recordingsIn(input.dataDir)).map(async (path) => sha256(await readFile(path))),
  )
  t.deepEqual(stored.sort(), twoRecordings.map(({ content }) => sha256(content)).sort())
}

async function completed(api: Api, uploadId: string): Promise<ApiAnswer['body']> {
  return eventually('the upload completes', async () => {
    const { body } = await api.get(`/files/upload/${uploadId}`)
    return body.status === 'completed' && body
  })
}

/** Undefined when the server died before it answered. */
async function unlessCutOff(answer: Promise<ApiAnswer>): Promise<ApiAnswer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof TypeError) return undefined // what fetch makes of a connection that broke
    throw error
  }
}

function onlyOne<T>(values: readonly T[]): T {
  const [value, ...others] = new Set(values)
  if (value === undefined || others.length > 0) throw new Error(`expected one value, found ${others.length + 1}`)
  return value
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
