import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { uploadForm } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { clientOf, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import { submit } from '../support/pipeline.ts'
import { startVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

test('what people send is in no log, and what they write cannot make a line of it', async (t) => {
  const nats = await aNatsServer(t)
  const dataDir = await aFolder(t)
  const environment = gatewayEnvironment(nats, {
    dataDir,
    environment: { LOG_LEVEL: 'debug', RECOGNISER: 'scripted', CHUNK_RETRY_INTERVALS: '0.1,0.1,0.1' },
  })
  const gateway = startVaak(t, ['gateway'], environment)
  const worker = startVaak(t, ['worker'], environment)
  const { api, tokenOf } = await clientOf(t, { url: await gateway.ready(), dataDir })
  await worker.ready()
  const recording = aScriptedRecording(scriptedSeconds(2))
  const failing = aScriptedRecording([{ sound: 7, commands: [{ stage: 'hear', act: 'terminal' }] }])
  const parts = [recording, failing].map((content) => ({ name: 'grandmother\u001B[31m.wav', content }))
  const batch = await submit(api, parts, { hotwords: ['Voldemort'] })
  await batch.finished()
  await api.post('/transcribe/batch', { json: { sources: [{ url: 'https://user:hunter2@example.com/signed?key=s3cr3t' }] } }) // prettier-ignore
  await api.as('spoilt-token-of-mallory').get('/files')
  await api.post('/files/upload', { body: uploadForm({ name: 'diary.txt', content: Buffer.from('dear diary') }) })
  await api.get('/files?x=%0D%0Aforged%20line')
  await eventually('everything was logged', () => worker.stderr.includes('worker works'))
  await worker.stop()
  await gateway.stop()

  const lines = (gateway.stderr + worker.stderr).split('\n').filter((line) => line !== '')
  t.true(lines.length > 20)
  for (const line of lines) t.notThrows(() => JSON.parse(line), line)
  const secrets = [
    await tokenOf('asha'),
    'spoilt-token',
    nats.pass,
    'grandmother',
    'diary',
    'Voldemort',
    'hunter2',
    's3cr3t',
    'forged line',
    '\u001B',
    ...textsOf(recording),
  ]
  for (const secret of secrets)
    t.deepEqual(lines.filter((line) => line.includes(secret)), [], `${secret.slice(0, 20)} was logged`) // prettier-ignore
})

test('nothing that a gateway and a worker write can be read by other users of the machine', async (t) => {
  const nats = await aNatsServer(t)
  const dataDir = join(await aFolder(t), 'data')
  const environment = gatewayEnvironment(nats, { dataDir, environment: { RECOGNISER: 'scripted' } })
  const gateway = startVaak(t, ['gateway'], environment)
  const worker = startVaak(t, ['worker'], environment)
  const { api } = await clientOf(t, { url: await gateway.ready(), dataDir })
  await worker.ready()
  const recording = { name: 'a.wav', content: aScriptedRecording(scriptedSeconds(2)) }
  await (await submit(api, [recording], {})).finished()
  const open: string[] = []
  for (const name of ['.', ...(await readdir(dataDir, { recursive: true }))]) {
    const { mode } = await lstat(join(dataDir, name)).catch(() => ({ mode: 0 })) // some are gone by now
    if ((mode & 0o077) !== 0) open.push(`${name} ${(mode & 0o777).toString(8)}`)
  }
  const folders = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  t.true(folders.length >= 3)
  t.deepEqual(open, [])
})
