import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { passagesKey, transcriptKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import { batchService } from '../support/batch-service.ts'
import { eventually } from '../support/eventually.ts'
import type { TestUser } from '../support/service.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'
import { unzip } from '../support/unzip.ts'

const service = batchService(test)

interface Writer extends TestUser {
  readonly ref: RunRef
  readonly path: string
}

/** Somebody with a transcript of two voices. */
async function aWriter(t: ExecutionContext): Promise<Writer> {
  const user = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(user.owner, [{ stage: 'completed', filename: 'call.wav' }])
  const ref = refs[0]!
  const said = aToldTranscript(
    { text: 'my dada came home.', speaker: 'speaker_1' },
    { text: 'when?', speaker: 'speaker_2' },
  )
  await records.blobs.put(transcriptKey(ref), { bytes: Buffer.from(JSON.stringify(said)) })
  const words = said.result.text.split(' ').map((word, at) => [word, at, at + 1])
  const passages = { filename: 'call.wav', passages: [words] }
  await records.blobs.put(passagesKey(ref), { bytes: Buffer.from(JSON.stringify(passages)) })
  return { ...user, ref, path: `/transcribe/results/file/${ref.fileId}` }
}

const word = (text: string, at = 1) => ({ type: 'word', segment: 0, word: at, text })

test('what is edited is read in every form, and as it was transcribed by who asks for that', async (t) => {
  const { api, path, ref } = await aWriter(t)
  const changes = [word('दादा'), { type: 'name', speaker: 'speaker_1', name: 'Asha' }]
  const { status, body } = await api.patch(path, { json: { version: 0, changes } })
  t.is(status, 200)
  t.like(body, { file_id: ref.fileId, edits: { version: 1, undo_version: 0, oldest_version: 1, notes: [] } })

  const json = (await api.get(`${path}?speech_information=true`)).body
  t.is(json.result.text, 'my दादा came home. when?')
  t.is(json.edits.version, 1)
  t.is(json.result.segments[0].speech_information.speaker_name, 'Asha')
  const vtt = (await api.get(`${path}?format=vtt&speakers=true`)).body
  t.true(vtt.includes('<v Asha>my दादा came home.') && vtt.includes('<v speaker_2>when?'), vtt)
  t.true((await api.get(`${path}?format=srt`)).body.includes('my दादा came home.'))
  t.is((await api.get(`${path}?format=text&script=latin`)).body, 'my dada came home.\n\nwhen?\n')
  for (const route of ['results', 'download']) {
    const all = await api.get(`/transcribe/${route}/batch/${ref.batchId}`)
    t.true(JSON.stringify(all.body).includes('दादा'), route)
    const heard = await api.get(`/transcribe/${route}/batch/${ref.batchId}?original=true`)
    t.false(JSON.stringify(heard.body).includes('दादा'), route)
  }
  for (const query of ['original=true', 'version=0']) {
    const heard = (await api.get(`${path}?${query}`)).body
    t.is(heard.result.text, 'my dada came home. when?')
    t.is(heard.edits, undefined)
  }
  t.is((await api.get(`${path}?version=7`)).status, 409)
})

test('the example of an edit in the API’s own document is made as it stands', async (t) => {
  const { api, path } = await aWriter(t)
  const { requestBody } = (await api.get('/openapi.json')).body.paths['/transcribe/results/file/{file_id}'].patch
  const { status, body } = await api.patch(path, { json: requestBody.content['application/json'].example })
  t.is(status, 200, JSON.stringify(body))
  const { result, edits } = (await api.get(`${path}?speech_information=true`)).body
  t.is(result.segments[0].speech_information.speaker_name, 'Asha')
  t.is(edits.notes.length, 1)
})

test('edits are versions: any of them is read and gone back to, and undone one after the other', async (t) => {
  const { api, path } = await aWriter(t)
  const patch = (version: number, ...changes: object[]) => api.patch(path, { json: { version, changes } })
  const text = async (query = '') => (await api.get(`${path}?${query}`)).body.result.text
  await patch(0, word('nana'))
  await patch(1, { type: 'text', segment: 1, text: 'when was that?' }, { type: 'note', at: 1.5, text: 'ask' })
  t.is(await text('version=1'), 'my nana came home. when?')
  t.is(await text(), 'my nana came home. when was that?')
  t.like((await patch(2, { type: 'undo' })).body.edits, { version: 3, undo_version: 0, notes: [] })
  t.is(await text(), 'my nana came home. when?')
  t.is((await patch(3, { type: 'undo' })).body.edits.undo_version, undefined)
  t.is(await text(), 'my dada came home. when?')
  t.is((await patch(4, { type: 'undo' })).status, 409)
  t.like((await patch(4, { type: 'restore', version: 2 })).body.edits, {
    version: 5,
    notes: [{ at: 1.5, text: 'ask' }],
  })
  t.is(await text(), 'my nana came home. when was that?')
})

test('of many who edit the same version at once one is heard, and the others are told why not', async (t) => {
  const { api, path } = await aWriter(t)
  const edit = (text: string) => api.patch(path, { json: { version: 0, changes: [word(text)] } })
  const answers = await Promise.all(['one', 'two', 'three', 'four'].map(edit))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  t.deepEqual(statuses, [200, 409, 409, 409])
  const refusal = answers.find(({ status }) => status === 409)!
  t.regex(refusal.body.detail, /^This was made for version 0, and the transcript is at version 1/)
  const winner = ['one', 'two', 'three', 'four'][answers.findIndex(({ status }) => status === 200)]
  t.is((await api.get(path)).body.result.text, `my ${winner} came home. when?`)
})

test('what is searched follows the edit, and all of it goes with the file', async (t) => {
  const { api, path, ref, owner } = await aWriter(t)
  const total = async (query: string): Promise<number> => (await api.get(`/search?q=${query}`)).body.total
  t.is(await total('dada'), 1)
  await api.patch(path, { json: { version: 0, changes: [word('mausi')] } })
  await eventually('the new word is found', async () => (await total('mausi')) === 1)
  t.is(await total('dada'), 0)
  const [place] = (await api.get('/search?q=mausi')).body.results
  t.like(place, { file_id: ref.fileId, start: 0.5, end: 1, snippet: 'my mausi came home.' })
  await api.patch(path, { json: { version: 1, changes: [{ type: 'undo' }] } })
  await eventually('the old word is found', async () => (await total('dada')) === 1)

  t.is((await api.delete('/files', { json: { file_ids: [ref.fileId] } })).status, 200)
  t.is((await api.get(path)).status, 404)
  t.is((await api.patch(path, { json: { version: 2, changes: [word('a')] } })).status, 404)
  for (const folder of ['edits', 'search', 'transcripts']) {
    const left = await readdir(join(service.shared.dataDir, 'objects', 'stored', folder, owner), {
      recursive: true,
    }).catch(() => [])
    t.false(
      left.some((name) => name.includes(ref.fileId)),
      folder,
    )
  }
})

test('what has no transcript cannot be edited, and says so', async (t) => {
  const { api, owner } = await service.user(t)
  const { refs } = await (await service.records()).layOut(owner, [{ stage: 'running' }, { stage: 'uncut' }])
  for (const { fileId } of refs) {
    const answer = await api.patch(`/transcribe/results/file/${fileId}`, { json: { version: 0, changes: [word('a')] } })
    t.is(answer.status, 409)
    t.is(answer.body.detail, 'There is no transcript of this file that could be edited.')
  }
})

test('a transcript is taken away as a Word file and as a PDF, as it was edited, one file at a time', async (t) => {
  const { api, path, ref, token } = await aWriter(t)
  await api.patch(path, { json: { version: 0, changes: [word('दादा'), { type: 'note', at: 1, text: 'ask' }] } })
  const get = (format: string) =>
    fetch(`${api.url}${path}?format=${format}&speakers=true`, { headers: { Authorization: `Bearer ${token}` } })
  const docx = await get('docx')
  t.is(docx.headers.get('content-type'), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
  t.is(docx.headers.get('content-disposition'), 'attachment; filename="call.docx"')
  const document = new Map(unzip(Buffer.from(await docx.arrayBuffer()))).get('word/document.xml')!
  t.true(document.includes('my दादा came home.') && document.includes('ask'))
  const pdf = await get('pdf')
  t.is(pdf.headers.get('content-type'), 'application/pdf')
  t.true(
    Buffer.from(await pdf.arrayBuffer())
      .toString('latin1')
      .startsWith('%PDF-'),
  )
  t.is((await api.get(`/transcribe/download/batch/${ref.batchId}?format=pdf`)).status, 400)
  await api.patch(path, { json: { version: 1, changes: [word('வணக்கம்')] } })
  const refused = await api.get(`${path}?format=pdf`)
  t.is(refused.status, 409)
  t.regex(refused.body.detail, /Ask for docx\.$/)
})
