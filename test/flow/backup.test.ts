import { readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { BackupPart } from '../../infra/nats/backup/manifest.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { destroyStore } from '../support/destroyed-store.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import { objectsIn, recordingsIn } from '../support/on-disk.ts'
import { aPipeline, hurried, submitted } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

const short = aScriptedRecording(scriptedSeconds(3, 1000))
const other = aScriptedRecording(scriptedSeconds(5, 2000))

/** Whatever the broker has of Vaak, but for conversations, which vanish in minutes. */
const streams = topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 1_000 }).streams.length - 1

interface BackupScene extends Pipeline {
  readonly folder: string
  readonly vaak: (...words: string[]) => ReturnType<typeof runVaak>
}

async function aScene(t: ExecutionContext): Promise<BackupScene> {
  const pipeline = await aPipeline(t, await aNatsServer(t))
  const { nats, dataDir } = pipeline
  const environment = gatewayEnvironment(nats, { dataDir, environment: hurried })
  return {
    ...pipeline,
    folder: join(await aFolder(t), 'saved'),
    vaak: (...words) => runVaak(t, words, environment),
  }
}

test('what a broker held is there again after its store was destroyed, and open work goes on', async (t) => {
  const { nats, gateway, api, dataDir, submit, addWorker, folder, vaak } = await aScene(t)
  const worker = await addWorker()
  const done = await submit([{ name: 'short.wav', content: short }])
  const before = await done.finished()
  await worker.close()
  const open = await submit([{ name: 'other.wav', content: other }])
  const listed = await api.get('/files')
  const saved = await vaak('backup', folder)
  t.is(saved.code, 0, saved.stderr)
  t.regex(saved.stdout, new RegExp(`: ${streams} streams, \\d+ messages and records, \\d+ bytes\\.\n$`))

  await gateway.close()
  await destroyStore(nats)
  const restored = await vaak('restore', folder)
  t.is(restored.code, 0, restored.stderr)
  t.regex(restored.stdout, new RegExp(`^Restored ${streams} streams as they were at 2`))

  const { api: again } = await aGateway(t, nats, { dataDir, environment: hurried })
  t.deepEqual((await again.get(`/transcribe/results/batch/${done.batchId}?limit=200`)).body, before)
  t.deepEqual((await again.get('/files')).body, listed.body)
  const goesOn = submitted(again, { batch_id: open.batchId, jobs: [] })
  t.is((await goesOn.status()).status, 'queued')
  await addWorker()
  const { files } = await goesOn.finished()
  t.is(files[0].result.text, textsOf(other).join(' '))
})

test('a backup that is taken while work goes on is one from which all of it ends', async (t) => {
  const { nats, gateway, dataDir, submit, addWorker, folder, vaak } = await aScene(t)
  const slow = aScriptedRecording(
    scriptedSeconds(12, 3000).map((second) =>
      second === 'silence' ? second : { ...second, commands: [{ stage: 'transcribe', act: 'wait', ms: 60 }] as const },
    ),
  )
  const worker = await addWorker()
  const some = () => submit([{ name: 'slow.wav', content: slow }])
  const before = [await some(), await some(), await some(), await some()]
  const backingUp = vaak('backup', folder)
  const meanwhile = [await some(), await some()]
  const { code, stderr } = await backingUp
  t.is(code, 0, stderr)
  for (const batch of [...before, ...meanwhile]) await batch.finished()
  await worker.close()
  await gateway.close()
  await destroyStore(nats)
  t.is((await vaak('restore', folder)).code, 0)

  const { api: again } = await aGateway(t, nats, { dataDir, environment: hurried })
  await addWorker()
  for (const { batchId } of [...before, ...meanwhile]) {
    const known = (await again.get(`/transcribe/status/batch/${batchId}`)).status === 200
    t.true(known || meanwhile.some((batch) => batch.batchId === batchId), 'only what came meanwhile may be unknown')
    if (!known) continue
    const { files } = await submitted(again, { batch_id: batchId, jobs: [] }).finished()
    t.is(files[0].result.text, textsOf(slow).join(' '))
  }
})

test('a backup overwrites nothing, and a restore deletes nothing unless told', async (t) => {
  const { nats, gateway, dataDir, submit, folder, vaak } = await aScene(t)
  await submit([{ name: 'short.wav', content: short }])
  t.is((await vaak('backup', folder)).code, 0)
  const twice = await vaak('backup', folder)
  t.is(twice.code, 1)
  t.regex(twice.stderr, /is there already, and a backup overwrites nothing/)

  await submit([{ name: 'other.wav', content: other }])
  await gateway.close()
  const refused = await vaak('restore', folder)
  t.is(refused.code, 2)
  t.regex(
    refused.stderr,
    new RegExp(`nothing was changed\\.\nvaak restore --replace would delete ${streams} streams with \\d+ messages`),
  )
  t.is((await vaak('restore', folder, '--replace', '--dry-run')).code, 0)
  const unchanged = await aGateway(t, nats, { dataDir, environment: hurried })
  t.is((await unchanged.api.get('/files')).body.total_files, 2)
  await unchanged.close()

  t.is((await vaak('restore', folder, '--replace', '--without-storage')).code, 0)
  const { api: older } = await aGateway(t, nats, { dataDir, environment: hurried })
  t.is((await older.get('/files')).body.total_files, 1)
})

test('a backup that is damaged, or none, is refused before anything is changed', async (t) => {
  const { gateway, submit, folder, vaak } = await aScene(t)
  const batch = await submit([{ name: 'short.wav', content: short }])
  t.is((await vaak('backup', folder)).code, 0)
  const part = join(folder, 'KV_vaak_batches.snapshot')
  const content = await readFile(part)
  content[content.length >> 1]! ^= 1
  await writeFile(part, content)
  const refused = await vaak('restore', folder, '--replace')
  t.is(refused.code, 1)
  t.regex(refused.stderr, /KV_vaak_batches\.snapshot is damaged: .* Nothing was changed/)
  t.is((await batch.status()).status, 'queued')

  t.regex((await vaak('restore', gateway.dataDir)).stderr, /is no backup: it has no manifest\.json/)
  t.deepEqual(
    (await readdir(join(folder, '..'))).filter((name) => name.endsWith('.partial')),
    [],
  )
})

test('without a backup, files that storage has are listed again, and can be transcribed again', async (t) => {
  const { nats, gateway, api, dataDir, submit, addWorker, vaak } = await aScene(t)
  const batch = await submit([
    { name: 'short.wav', content: short },
    { name: 'other.wav', content: other },
  ])
  await submit([{ name: 'deleted.wav', content: short }])
  const { body: listed } = await api.get('/files')
  const deletedId = listed.files[0].file_id
  t.is((await api.delete('/files', { json: { file_ids: [deletedId] } })).status, 200)
  t.deepEqual(
    (await objectsIn(dataDir)).filter((path) => path.includes(deletedId)),
    [],
  )
  const { body: before } = await api.get('/files')

  await gateway.close()
  await destroyStore(nats)
  const again = await vaak('restore', '--from-storage')
  t.is(again.stdout, '2 files are listed again, 0 were known, 0 are deleted, 0 could not be used.\n', again.stderr)
  const twice = await vaak('restore', '--from-storage')
  t.is(twice.stdout, '0 files are listed again, 2 were known, 0 are deleted, 0 could not be used.\n', twice.stderr)

  const { api: later } = await aGateway(t, nats, { dataDir, environment: hurried })
  const { body: after } = await later.get('/files')
  t.deepEqual({ ...after, files: byName(after.files) }, { ...before, files: byName(before.files) })
  await addWorker()
  const { body: accepted } = await later.post('/transcribe/batch', { json: { file_ids: batch.fileIds } })
  const { files } = await submitted(later, accepted).finished()
  t.deepEqual(
    files.map(({ result }: { result: { text: string } }) => result.text),
    [textsOf(short).join(' '), textsOf(other).join(' ')],
  )
})

test('an upload that waits in the spool while the broker is lost ends in storage, and is listed', async (t) => {
  const { nats, gateway, api, dataDir, vaak } = await aScene(t)
  const objects = join(dataDir, 'objects')
  await rename(objects, `${objects}.away`)
  const key = { headers: { 'Idempotency-Key': 'an-upload' } }
  const { body } = await api.post('/files/upload', { body: uploadForm({ name: 'short.wav', content: short }), ...key })
  const status = async (of: Api) => (await of.get(`/files/upload/${body.batch_upload_id}`)).body
  await eventually('it was tried', async () => (await status(api)).uploading === 1)
  await gateway.close()
  await rename(`${objects}.away`, objects)
  await destroyStore(nats)
  const again = await vaak('restore', '--from-storage')
  t.regex(
    again.stdout,
    /^1 uploads that wait in .*spool\/gateway-.* go on with the next start\.\n0 files are listed again/,
  )

  const { api: later } = await aGateway(t, nats, { dataDir, environment: hurried })
  await eventually('it is stored', async () => (await status(later)).status === 'completed')
  t.is((await later.get('/files')).body.files[0].filename, 'short.wav')
  t.is((await recordingsIn(dataDir)).length, 1)
})

test('where no broker runs and none is given, the one of "vaak up" is started for a restore and for a backup', async (t) => {
  const { submit, folder, vaak } = await aScene(t)
  await submit([{ name: 'short.wav', content: short }])
  t.is((await vaak('backup', folder)).code, 0)
  const environment = { DATA_DIR: await aFolder(t) }
  const second = `${folder}-2`
  t.regex((await runVaak(t, ['backup', second], environment)).stderr, /no "vaak up" runs on this DATA_DIR/)
  // the storage of that broker is not here
  const refused = await runVaak(t, ['restore', folder], environment)
  t.is(refused.code, 1)
  t.regex(
    refused.stderr,
    /storage could not be looked at\.\nBefore anything is started, run: vaak restore --from-storage/,
  )
  const restored = await runVaak(t, ['restore', folder, '--replace', '--without-storage'], environment)
  t.is(restored.code, 0, restored.stderr)
  t.is((await runVaak(t, ['backup', second], environment)).code, 0)
  t.deepEqual(await recordsIn(second), await recordsIn(folder))
})

async function recordsIn(folder: string): Promise<unknown> {
  const { parts } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  return parts.map(({ stream, state }: BackupPart) => [stream, state.messages, state.last_seq])
}

/** Files of one upload were accepted in the same millisecond, and are in any order. */
function byName<File extends { readonly filename: string }>(files: readonly File[]): readonly File[] {
  return files.toSorted((one, next) => (one.filename < next.filename ? -1 : 1))
}
