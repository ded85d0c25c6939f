import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { aFolder } from '../support/folder.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const recording = aScriptedRecording(scriptedSeconds(2))
const other = aScriptedRecording(scriptedSeconds(1, 50))

test.serial('a transcript proves what it was made of, offline too; what was changed or edited is named', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const batch = await pipeline.submit([
    { name: 'one.wav', content: recording },
    { name: 'two.wav', content: other },
  ])
  const { fileIds } = batch
  await batch.finished()
  const folder = await aFolder(t)
  const place = (name: string): string => join(folder, name)
  await writeFile(place('one.wav'), recording)
  await writeFile(place('two.wav'), other)
  const environment = { VAAK_URL: pipeline.api.url, VAAK_TOKEN: await pipeline.gateway.tokenOf('asha') }
  const vaak = (...words: string[]) => runVaak(t, words, environment)
  const path = `/transcribe/results/file/${fileIds[0]}`

  await writeFile(place('keys.json'), await (await fetch(`${pipeline.api.url}/.well-known/jwks.json`)).text())
  const { body } = await pipeline.api.get(`${path}?receipt=true`)
  t.is(body.receipt.content.audio.sha256, createHash('sha256').update(recording).digest('hex'))
  t.is((await pipeline.api.get(path)).body.receipt, undefined)
  await writeFile(place('one.json'), JSON.stringify(body))
  const proven = await vaak('verify', place('one.json'), place('one.wav'))
  t.is(proven.code, 0, proven.stdout + proven.stderr)
  t.regex(
    proven.stdout,
    /^proven {3}The receipt was signed.*\nproven {3}The recording is.*\nproven {3}The transcript is/,
  )

  const offline = { VAAK_URL: 'http://127.0.0.1:9' }
  const words = ['verify', place('one.json'), place('two.wav'), '--keys', place('keys.json')]
  const foreign = await runVaak(t, words, offline)
  t.is(foreign.code, 1)
  t.regex(foreign.stdout, /^proven .*\ndiffers {2}The recording is another one/)

  const json = { version: 0, changes: [{ type: 'text', segment: 0, text: 'something else' }] }
  t.is((await pipeline.api.patch(path, { json })).status, 200)
  await vaak('download', '--file', fileIds[0]!, '--receipt', '--output', place('edited.json'))
  const edited = await vaak('verify', place('edited.json'), place('one.wav'))
  t.is(edited.code, 1)
  t.regex(edited.stdout, /^proven .*\nproven .*\ndiffers {2}The text was edited .*version 1.*segments?/i)
  t.is((await pipeline.api.get(`${path}?receipt=true&original=true`)).body.receipt.content.file_id, fileIds[0])
})

test.serial('in a batch the file of the recording is looked for, and what has no receipt is refused', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const batch = await pipeline.submit([
    { name: 'one.wav', content: recording },
    { name: 'two.wav', content: other },
  ])
  const { batchId } = batch
  await batch.finished()
  const folder = await aFolder(t)
  const place = (name: string): string => join(folder, name)
  await writeFile(place('two.wav'), other)
  const environment = { VAAK_URL: pipeline.api.url, VAAK_TOKEN: await pipeline.gateway.tokenOf('asha') }
  const vaak = (...words: string[]) => runVaak(t, words, environment)
  await vaak('download', batchId, '--receipt', '--format', 'json', '--output', place('all.json'))
  const proven = await vaak('verify', place('all.json'), place('two.wav'), '--json')
  t.is(proven.code, 0, proven.stdout + proven.stderr)
  t.deepEqual(
    (JSON.parse(proven.stdout) as { holds: boolean }[]).map(({ holds }) => holds),
    [true, true, true],
  )
  const all = JSON.parse(await readFile(place('all.json'), 'utf8')) as { files: object[] }
  await writeFile(place('none.json'), JSON.stringify({ ...all.files[0], receipt: undefined }))
  const without = await vaak('verify', place('none.json'), place('two.wav'))
  t.is(without.code, 2)
  t.regex(without.stderr, /no transcript with a receipt/)
  t.is((await vaak('verify', place('all.json'), place('two.wav'), '--keys', place('two.wav'))).code, 2)
})

test.serial("another user's receipt is not there", async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const batch = await pipeline.submit([{ name: 'one.wav', content: recording }])
  const { fileIds, batchId } = batch
  await batch.finished()
  const theirs = pipeline.api.as(await pipeline.gateway.tokenOf('bela'))
  t.is((await theirs.get(`/transcribe/results/file/${fileIds[0]}?receipt=true`)).status, 404)
  t.is((await theirs.get(`/transcribe/results/batch/${batchId}?receipt=true`)).status, 404)
  t.is((await theirs.get(`/transcribe/download/batch/${batchId}?receipt=true`)).status, 404)
})
