import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { transcriptKey } from '../../actors/ids.ts'
import { readDocument } from '../fuzz/document.ts'
import { batchService } from '../support/batch-service.ts'
import { aFileId } from '../support/builders.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

/** What strangers can do with a share link, and with what is not one. Its own rules are in `test/spec/share-links.test.ts`. */

const service = batchService(test)
const recording = Buffer.from('the bytes of a recording')

async function aSharer(t: ExecutionContext) {
  const user = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(user.owner, [
    { stage: 'completed', filename: 'call.wav' },
    { stage: 'completed' },
  ])
  const ref = refs[0]!
  const said = aToldTranscript({ text: 'my dada came home.' })
  await records.blobs.put(transcriptKey(ref), { bytes: Buffer.from(JSON.stringify(said)) })
  const stored = (await records.files.read(ref.fileId))!.value
  if (stored.status !== 'completed') throw new Error('it is stored')
  await records.blobs.put(stored.storageKey, { bytes: recording })
  const result = `/transcribe/results/file/${ref.fileId}`
  const path = `${result}/share_links`
  const share = async (json: object = {}) => (await user.api.post(path, { json })).body
  return { ...user, ref, result, path, share }
}

test('whoever has a share link reads the transcript as it is edited, in every form, without the notes', async (t) => {
  const { api, result, share, path } = await aSharer(t)
  const made = await share()
  t.is(made.path, `/shared#${made.link}`)
  t.regex(made.link, /^share_[\w-]{96}$/)
  t.is(Date.parse(made.expires_at) - Date.parse(made.created_at), 7 * 86_400_000)
  const changes = [
    { type: 'word', segment: 0, word: 1, text: 'nana' },
    { type: 'note', at: 0, text: 'between ourselves' },
  ]
  await api.patch(result, { json: { version: 0, changes } })
  const stranger = api.as(made.link)
  const { status, headers, body } = await stranger.get('/shared/result')
  t.is(status, 200)
  t.is(headers.get('cache-control'), 'no-store')
  t.deepEqual(Object.keys(body).toSorted(), ['audio', 'expires_at', 'filename', 'result'])
  t.is(body.result.text, 'my nana came home.')
  t.is((await stranger.get('/shared/result?format=text')).body, 'my nana came home.\n')
  for (const format of ['srt', 'vtt', 'docx', 'pdf'])
    t.false(String((await stranger.get(`/shared/result?format=${format}`)).body).includes('between'), format)
  // what is not offered is ignored like any other word: the first words stay its user's
  for (const more of ['original=true', 'version=0', 'chunks=true'])
    t.is((await stranger.get(`/shared/result?${more}`)).body.result.text, 'my nana came home.')
  t.like((await api.get(path)).body, { links: [{ link_id: made.link_id, audio: false }] })
  t.false(JSON.stringify((await api.get(path)).body).includes(made.link.slice(-40)))
})

test('a recording is heard where its user lets it be, and nowhere else', async (t) => {
  const { api, share } = await aSharer(t)
  const [silent, loud] = [await share(), await share({ audio: true, days: 1 })]
  t.false((await api.as(silent.link).get('/shared/result')).body.audio)
  t.is((await api.as(silent.link).get('/shared/audio')).status, 403)
  t.true((await api.as(loud.link).get('/shared/result')).body.audio)
  const asked = await fetch(`${api.url}/shared/audio`, {
    headers: { Authorization: `Bearer ${loud.link}`, Range: 'bytes=4-8' },
  })
  t.is(asked.status, 206)
  t.is(await asked.text(), 'bytes')
})

test('a share link opens no other address, whatever is asked there', async (t) => {
  const { api, share, ref } = await aSharer(t)
  const { link } = await share({ audio: true })
  const stranger = api.as(link)
  const ids: Record<string, string> = { file_id: ref.fileId, batch_id: ref.batchId }
  const { operations } = await readDocument(api.url)
  const closed = operations.filter(({ needsToken }) => needsToken)
  t.true(closed.length > 30)
  for (const { method, path } of closed) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? aFileId())
    const response = await fetch(api.url + address, { method, headers: { Authorization: `Bearer ${link}` } })
    await response.body?.cancel()
    t.is(response.status, 401, `${method} ${path}`)
  }
  for (const address of ['/shared/result', '/shared/audio']) {
    t.is((await stranger.post(address, { json: {} })).status, 405)
    t.is((await stranger.patch(address, { json: {} })).status, 405)
    t.is((await stranger.delete(address)).status, 405)
  }
})

test('what is no share link opens nothing: tokens, keys, guesses, and links that were revoked', async (t) => {
  const { api, share, path, token } = await aSharer(t)
  const made = await share()
  const { key } = (await api.post('/v1/keys', { json: { scopes: ['share', 'transcribe'] } })).body
  const guess = `share_${'A'.repeat(96)}`
  t.is((await api.delete(`${path}/${made.link_id}`)).status, 200)
  t.is((await api.delete(`${path}/${made.link_id}`)).status, 404)
  for (const address of ['/shared/result', '/shared/audio'])
    for (const credential of [undefined, token, key, guess, made.link]) {
      const { status, body } = await api.as(credential).get(address)
      t.is(status, 401)
      t.is(typeof body.detail, 'string')
    }
})

test("nobody shares, lists or revokes another user's, nor with a key that is not for it", async (t) => {
  const theirs = await aSharer(t)
  const made = await theirs.share()
  const mine = await aSharer(t)
  t.is((await mine.api.post(theirs.path, { json: {} })).status, 404)
  t.is((await mine.api.get(theirs.path)).status, 404)
  t.is((await mine.api.delete(`${theirs.path}/${made.link_id}`)).status, 404)
  t.is((await mine.api.delete(`${mine.path}/${made.link_id}`)).status, 404, 'under a file of their own')
  const { key } = (await theirs.api.post('/v1/keys', { json: {} })).body
  for (const ask of [
    theirs.api.as(key).post(theirs.path, { json: {} }),
    theirs.api.as(key).get(theirs.path),
    theirs.api.as(key).delete(`${theirs.path}/${made.link_id}`),
  ])
    t.is((await ask).status, 403)
  t.is((await theirs.api.as(made.link).get('/shared/result')).status, 200)
})

for (const [what, json] of [
  ['no day', { days: 0 }],
  ['more days than the limit', { days: 91 }],
  ['half a day', { days: 0.5 }],
  ['a day in words', { days: 'seven' }],
  ['sound in words', { audio: 'yes' }],
  ['a list', []],
] as const)
  test(`a share link with ${what} is refused`, async (t) => {
    const { api, path } = await aSharer(t)
    t.is((await api.post(path, { json })).status, 400)
    t.deepEqual((await api.get(path)).body.links, [])
  })

test('what has no transcript cannot be shared, and a share link goes with its file', async (t) => {
  const { api, owner, ref, share, path } = await aSharer(t)
  const { refs } = await (await service.records()).layOut(owner, [{ stage: 'running' }])
  t.is((await api.post(`/transcribe/results/file/${refs[0]!.fileId}/share_links`, { json: {} })).status, 409)
  const { link } = await share()
  t.is((await api.delete('/files', { json: { file_ids: [ref.fileId] } })).status, 200)
  t.is((await api.as(link).get('/shared/result')).status, 401)
  t.is((await api.get(path)).status, 404)
  const left = await readdir(join(service.shared.dataDir, 'objects', 'stored', 'links', owner), {
    recursive: true,
  }).catch(() => [])
  t.false(left.some((name) => name.includes(ref.fileId)))
})
