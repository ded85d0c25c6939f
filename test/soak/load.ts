import { once } from 'node:events'
import { connect } from 'node:net'

import type { Api } from '../support/api.ts'
import { uploadForm } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { submitted as watching } from '../support/pipeline.ts'
import type { SubmittedBatch } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import type { ScriptedSecond } from '../support/scripted-speech.ts'

/** A machine that is busy with other things makes everything slow, and nothing leak. */
const patienceMs = 300_000

/** What one user does in one round, from the upload to the last trace of it. */
export async function round(api: Api, number: number): Promise<void> {
  const submitted = await submit(api, number)
  const { files } = await submitted.finished(patienceMs)
  if (files.length !== submitted.fileIds.length) throw new Error(`${files.length} files came back`)
  await api.get('/files?limit=200')
  await api.get(`/transcribe/download/batch/${submitted.batchId}?chunks=true`)
  await api.get(`/transcribe/results/batch/${submitted.batchId}?raw=true`)
  for (const fileId of submitted.fileIds) await api.get(`/transcribe/results/file/${fileId}`)
  await refusals(api)
  const { status } = await api.delete('/files', { json: { file_ids: submitted.fileIds } })
  if (status !== 200) throw new Error(`deleting was answered ${status}`)
}

async function submit(api: Api, number: number): Promise<SubmittedBatch> {
  const { body } = await api.post('/files/upload', { body: uploadForm(...recordingsOf(number)) })
  const at = `/files/upload/${body.batch_upload_id}`
  await eventually('the files are stored', async () => (await api.get(at)).body.status === 'completed', patienceMs)
  const json = { batch_upload_id: body.batch_upload_id, hotwords: [`word-${number % 7}`] }
  return watching(api, (await api.post('/transcribe/batch', { json })).body)
}

function recordingsOf(number: number): { name: string; content: Uint8Array }[] {
  const first = number * 10
  const recordings: ScriptedSecond[][] = [
    scriptedSeconds(3, first),
    [
      { audio: first, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] },
      'silence',
      { audio: first + 1 },
    ],
  ]
  if (number % 5 === 0) recordings.push([{ audio: first, commands: [{ stage: 'transcribe', act: 'terminal' }] }])
  return recordings.map((seconds, index) => ({ name: `${index}.wav`, content: aScriptedRecording(seconds) }))
}

/** What goes wrong leaves nothing behind either. */
async function refusals(api: Api): Promise<void> {
  await api.as('nonsense').get('/files')
  await api.post('/files/upload', { body: 'no form', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } })
  await api.post('/transcribe/batch', { json: { file_ids: ['x'] } })
  await breakOff(api.url)
}

/** A client that goes away in the middle of its upload. */
async function breakOff(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('POST /files/upload HTTP/1.1\r\nHost: vaak\r\nContent-Length: 100000\r\n\r\nhalf')
  socket.destroySoon()
  await once(socket, 'close')
}
