import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aRemoteServer } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const marks = [
  'name-of-a-patient',
  'address-of-a-patient',
  'hotword-of-a-patient',
  'callback-of-a-patient',
  'header-of-a-source',
  'header-of-a-call',
  'metadata-of-a-patient',
  'file-metadata-of-a-patient',
]
const content = aScriptedRecording(scriptedSeconds(2))
const patienceMs = 60_000

/** Which of the marks are anywhere in the files below a folder. */
async function marksIn(folder: string, looked: readonly string[] = marks): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = new Set<string>()
  for (const entry of entries.filter((one) => one.isFile())) {
    // a file may go while it is looked for
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    for (const mark of looked) if (bytes.includes(mark)) found.add(mark)
  }
  return [...found]
}

test('what was deleted is on no disk any more: not of the broker, nor of storage, nor of the gateway', async (t) => {
  const nats = await aNatsServer(t)
  const { port } = await aRemoteServer(t, (_, response) => void response.end(content))
  const pipeline = await aPipeline(t, nats, { REMOTE_ALLOW_PRIVATE: '127.0.0.1', REMOTE_PORTS: String(port) })
  await pipeline.addWorker()
  const keeps = await pipeline.submit([{ name: 'stays.wav', content }])
  const batch = await pipeline.submit([{ name: 'name-of-a-patient.wav', content }], {
    sources: [
      {
        url: `http://127.0.0.1:${port}/address-of-a-patient.wav`,
        headers: { Cookie: 'header-of-a-source' },
        metadata: { about: 'file-metadata-of-a-patient' },
      },
    ],
    metadata: { about: 'metadata-of-a-patient' },
    hotwords: ['hotword-of-a-patient'],
    callback_url: `http://127.0.0.1:${port}/callback-of-a-patient`,
    callback_headers: { Cookie: 'header-of-a-call' },
  })
  await batch.finished()
  await keeps.finished()
  t.deepEqual((await marksIn(nats.storeDir)).toSorted(), marks.toSorted(), 'the broker had them')

  const { status } = await pipeline.api.delete(`/transcribe/batch/${batch.batchId}?files=true`)
  t.is(status, 200)
  await eventually('the broker has none of it', async () => (await marksIn(nats.storeDir)).length === 0, patienceMs)
  t.deepEqual(await marksIn(pipeline.dataDir), [])
  t.is((await keeps.results()).files[0].status, 'completed', 'what was not deleted is there')
})

test('what was deleted with the only file of a batch is in no message either', async (t) => {
  const nats = await aNatsServer(t)
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const mark = 'name-of-a-patient'
  const batch = await pipeline.submit([{ name: `${mark}.wav`, content }], { name: mark, hotwords: [mark] })
  await batch.finished()
  t.deepEqual(await marksIn(nats.storeDir, [mark]), [mark], 'the broker had it')
  const { status } = await pipeline.api.delete(`/transcribe/batch/${batch.batchId}?files=true`)
  t.is(status, 200)
  const isGone = async (): Promise<boolean> => (await marksIn(nats.storeDir, [mark])).length === 0
  await eventually('the broker has none of it', isGone, patienceMs)
})

test('the signature and the headers of a source leave the broker with its file, though the batch stays', async (t) => {
  const nats = await aNatsServer(t)
  const { port } = await aRemoteServer(t, (_, response) => void response.end(content))
  const pipeline = await aPipeline(t, nats, { REMOTE_ALLOW_PRIVATE: '127.0.0.1', REMOTE_PORTS: String(port) })
  await pipeline.addWorker()
  const signature = 'X-Signature=of-one-who-may-read'
  const header = 'Bearer-of-one-who-may-read'
  const batch = await pipeline.submit([{ name: 'stays.wav', content }], {
    sources: [{ url: `http://127.0.0.1:${port}/talk.wav?${signature}`, headers: { Authorization: header } }],
  })
  await batch.finished()
  const secrets = [signature, header]
  t.deepEqual((await marksIn(nats.storeDir, secrets)).toSorted(), secrets.toSorted(), 'the broker had them')

  const { files } = await batch.results()
  const fetched = files.find(({ filename }: { filename: string }) => filename !== 'stays.wav')
  const { body } = await pipeline.api.delete('/files', { json: { file_ids: [fetched.file_id] } })
  t.is(body.deleted_count, 1)
  const isGone = async (): Promise<boolean> => (await marksIn(nats.storeDir, secrets)).length === 0
  await eventually('the broker has none of it', isGone, patienceMs)
  t.is((await batch.results()).files.length, 1)
})
