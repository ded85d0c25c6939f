import test from 'ava'
import { v7 as uuidV7 } from 'uuid'

import { isFileId, runKey } from '../../actors/ids.ts'
import type { FileId } from '../../actors/ids.ts'
import { oddTexts } from '../fuzz/odd-values.ts'
import type { ApiAnswer } from '../support/api.ts'
import { batchService } from '../support/batch-service.ts'
import { aFile } from '../support/builders.ts'
import type { RunStage } from '../support/file-stages.ts'
import type { TestUser } from '../support/service.ts'

const service = batchService(test)

const idsIn = ({ body }: ApiAnswer): string[] => body.files.map((file: { file_id: string }) => file.file_id)

/** One file in each stage, listed as if it was uploaded; the first is the oldest. */
async function withStages({ owner }: TestUser, ...stages: readonly RunStage[]): Promise<readonly FileId[]> {
  const records = await service.records()
  const { refs } = await records.layOut(
    owner,
    stages.map((stage) => ({ stage })),
  )
  const fileIds = refs.map(({ fileId }) => fileId)
  await records.listing.append(
    owner,
    fileIds.map((fileId) => ({ fileId, status: 'completed' })),
  )
  return fileIds
}

async function withNames({ owner }: TestUser, ...names: readonly string[]): Promise<readonly FileId[]> {
  const files = names.map((filename) => aFile('completed', { owner, filename }))
  await (await service.records()).add(files)
  return files.map(({ fileId }) => fileId)
}

test('files are listed newest first, each with how far its newest transcription is', async (t) => {
  const user = await service.user(t)
  t.deepEqual((await user.api.get('/transcribe/files')).body, { limit: 50, count: 0, files: [] })
  const [done, waiting] = await withStages(user, 'completed', 'queued')
  const [alone] = await withNames(user, 'वाक्.wav')
  const answer = await user.api.get('/transcribe/files')
  t.deepEqual(idsIn(answer), [alone, waiting, done])
  const [first, second, third] = answer.body.files
  t.like(first, { filename: 'वाक्.wav', upload_status: 'completed', transcription: undefined })
  t.is(second.transcription.status, 'queued')
  t.like(third.transcription, { file_id: done, status: 'completed', audio_seconds: 10, completed_audio_seconds: 10 })
  t.regex(third.created_at, /^\d{4}-/)
})

test('a status, a language and a name list the files that have it', async (t) => {
  const user = await service.user(t)
  const stages: RunStage[] = ['completed', 'running', 'waiting', 'partial', 'failed', 'queued']
  const fileIds = await withStages(user, ...stages)
  const [named] = await withNames(user, 'Meeting of MONDAY.wav')
  const found = async (filter: string): Promise<string[]> => idsIn(await user.api.get(`/transcribe/files?${filter}`))
  for (const [at, status] of ['completed', 'processing', 'retrying', 'partial', 'failed', 'queued'].entries())
    t.deepEqual(await found(`status=${status}`), [fileIds[at]], status)
  t.deepEqual(await found('status=none'), [named])
  t.deepEqual(await found('name=of%20monday'), [named])
  t.deepEqual(await found('name=tuesday'), [])

  const { runs } = await service.records()
  const { body } = await user.api.get('/transcribe/files?status=completed')
  const key = runKey({ fileId: fileIds[0]!, batchId: body.files[0].transcription.batch_id })
  const { value, revision } = (await runs.read(key))!
  if (value.progress.phase !== 'finished') return t.fail()
  await runs.replace(key, { ...value, progress: { ...value.progress, language: 'hi' } }, revision)
  t.deepEqual(await found('language=hi'), [fileIds[0]])
  t.deepEqual(await found('language=en'), [])
})

test('a filter looks at so many files a page and no more, and goes on where it was', async (t) => {
  const user = await service.user(t)
  const [rare] = await withNames(user, 'rare.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav')
  const seen: string[] = []
  let pages = 0
  for (let cursor = ''; pages === 0 || cursor !== ''; pages += 1) {
    const answer = await user.api.get(`/transcribe/files?name=rare&limit=2${cursor}`)
    seen.push(...idsIn(answer))
    cursor = answer.body.next_cursor === undefined ? '' : `&cursor=${answer.body.next_cursor}`
  }
  t.deepEqual(seen, [rare])
  t.is(pages, 3)
})

test('a time lists the files that were uploaded then', async (t) => {
  const user = await service.user(t)
  const at = (time: string): FileId => {
    const id = uuidV7({ msecs: Date.parse(time) })
    if (!isFileId(id)) throw new Error('not an id')
    return id
  }
  const [noon, later] = [at('2026-03-01T12:00:00Z'), at('2026-03-02T00:00:00Z')]
  await (await service.records()).add([noon, later].map((fileId) => aFile('completed', { owner: user.owner, fileId })))
  t.deepEqual(idsIn(await user.api.get('/transcribe/files?from=2026-03-02')), [later])
  t.deepEqual(idsIn(await user.api.get('/transcribe/files?to=2026-03-02')), [noon])
})

test('nobody sees the files of another, also not by their cursor', async (t) => {
  const [one, other] = [await service.user(t), await service.user(t)]
  await withNames(one, 'a.wav', 'b.wav')
  const { body } = await one.api.get('/transcribe/files?limit=1')
  t.is(body.count, 1)
  t.is((await other.api.get('/transcribe/files')).body.count, 0)
  t.is((await other.api.get(`/transcribe/files?cursor=${body.next_cursor}`)).body.count, 0)
})

test('whatever is looked for as a name is a name, and finds itself', async (t) => {
  const user = await service.user(t)
  await withNames(user, 'a.*(b)[c]^$.wav')
  for (const name of oddTexts) {
    const { status, body } = await user.api.get(`/transcribe/files?name=${encodeURIComponent(name.toWellFormed())}`)
    t.is(status, name.length > 200 ? 400 : 200, JSON.stringify(name.slice(0, 40)))
    if (status === 200) t.true(body.count === ('a.*(b)[c]^$.wav'.includes(name.toLowerCase()) ? 1 : 0))
  }
  t.is((await user.api.get(`/transcribe/files?name=${encodeURIComponent('.*(')}`)).body.count, 1)
  for (const query of ['status=done', 'language=xx', 'cursor=x', 'from=yesterday', 'limit=201'])
    t.is((await user.api.get(`/transcribe/files?${query}`)).status, 400, query)
})
