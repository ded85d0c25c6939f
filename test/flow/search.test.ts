import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import test from 'ava'

import { passagesKey } from '../../actors/ids.ts'
import { aBatchId, aFileId, anOwner } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline, hurried } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const one = aScriptedRecording(scriptedSeconds(3, 1))
const two = aScriptedRecording(scriptedSeconds(2, 50))
/** The second word of a chunk, which no other chunk has. */
const wordOf = (recording: Uint8Array, chunk: number): string => textsOf(recording)[chunk]!.split(' ')[1]!

async function totalOf({ api }: Pick<Pipeline, 'api'>, query: string): Promise<number> {
  return (await api.get(`/search?q=${query}`)).body.total
}

test.serial(
  'what was said is found in whichever file it is, with its place; by its user, and until it is deleted',
  async (t) => {
    const pipeline = await aPipeline(t, nats)
    await pipeline.addWorker()
    const batch = await pipeline.submit([
      { name: 'one.wav', content: one },
      { name: 'two.wav', content: two },
    ])
    await batch.finished()
    const { api } = pipeline
    await eventually('it can be searched', async () => (await totalOf(pipeline, 'heard')) === 2)

    const { status, body } = await api.get(`/search?q=${wordOf(two, 1)}`)
    t.is(status, 200)
    t.like(body, { query: wordOf(two, 1), page: 1, limit: 50, total: 1, total_pages: 1 })
    t.like(body.results[0], { file_id: batch.fileIds[1], filename: 'two.wav', snippet: textsOf(two).join(' ') })
    t.true(body.results[0].start >= 1 && body.results[0].end <= 2)

    const inOne = await api.get(`/search?q=heard&file_id=${batch.fileIds[1]}`)
    t.deepEqual(
      inOne.body.results.map((found: { file_id: string }) => found.file_id),
      [batch.fileIds[1]],
    )
    t.is(inOne.body.total, 1)

    const pages = await Promise.all([1, 2, 3].map((page) => api.get(`/search?q=heard&limit=1&page=${page}`)))
    const places = pages.flatMap(({ body: page }) => page.results.map((found: object) => JSON.stringify(found)))
    t.is(new Set(places).size, 2)
    t.is(await totalOf({ api: await pipeline.gateway.apiOf('another') }, 'heard'), 0)

    await api.delete('/files', { json: { file_ids: [batch.fileIds[0]] } })
    const after = await api.get('/search?q=heard')
    t.deepEqual([...new Set(after.body.results.map((found: { filename: string }) => found.filename))], ['two.wav'])
    await eventually('it is not counted either', async () => (await totalOf(pipeline, 'heard')) === 1)
    t.is(await filesIn(join(pipeline.dataDir, 'objects', 'stored', 'search')), 1)
  },
)

test.serial('a file that is transcribed again is found once, and what cannot be searched yet is made so', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const batch = await pipeline.submit([{ name: 'two.wav', content: two }])
  await batch.finished()
  const again = await pipeline.api.post('/transcribe/batch', { json: { file_ids: batch.fileIds } })
  await eventually('it was transcribed again', async () => {
    const { body } = await pipeline.api.get(`/transcribe/status/batch/${again.body.batch_id}`)
    return body.status === 'completed'
  })
  await eventually('it is found once', async () => (await totalOf(pipeline, 'heard')) === 1)

  await rm(join(pipeline.dataDir, 'objects', 'stored', 'search'), { recursive: true })
  await eventually('nothing is found', async () => (await totalOf(pipeline, 'heard')) === 0)
  const { dataDir } = pipeline
  // as a gateway of an older version leaves what it knows nothing of
  const deleted = join(
    dataDir,
    'objects',
    'stored',
    passagesKey({ owner: anOwner('asha'), fileId: aFileId(), batchId: aBatchId() }),
  )
  await mkdir(dirname(deleted), { recursive: true })
  await writeFile(deleted, '{}')
  const rebuilt = await runVaak(t, ['search', '--rebuild'], gatewayEnvironment(nats, { dataDir, environment: hurried }))
  t.is(rebuilt.code, 0, rebuilt.stderr)
  t.is(await filesIn(join(dataDir, 'objects', 'stored', 'search')), 2, 'of the two transcriptions')
  await eventually('it is found', async () => (await totalOf(pipeline, 'heard')) === 1)

  const asha = { VAAK_URL: pipeline.api.url, VAAK_TOKEN: await pipeline.gateway.tokenOf('asha') }
  const found = await runVaak(t, ['search', wordOf(two, 0)], asha)
  t.regex(found.stdout, new RegExp(`^${batch.fileIds[0]} 0:00 two\\.wav: ${textsOf(two).join(' ')}\\n$`))
  t.is((await runVaak(t, ['search', 'nobody'], asha)).code, 1)
})

test.serial(
  'of more words than a gateway may keep the newest files are searched, and it says how many are left out',
  async (t) => {
    const pipeline = await aPipeline(t, nats, { SEARCH_MAX_WORDS: '20' })
    await pipeline.addWorker()
    for (const [name, content] of Object.entries({ 'two.wav': two, 'newest.wav': two })) {
      const batch = await pipeline.submit([{ name, content }])
      await batch.finished()
    }
    const { body } = await pipeline.api.get('/search?q=heard')
    t.is(body.files_left_out, 1)
    t.is(body.results[0].filename, 'newest.wav')
    t.is(body.total, 1)
  },
)

for (const query of ['', 'q=', 'q=%20', `q=${'x'.repeat(201)}`, 'q=a&limit=0'])
  test.serial(`a search for ${JSON.stringify(query.slice(0, 12))} is refused`, async (t) => {
    const { api } = await aPipeline(t, nats)
    t.is((await api.get(`/search?${query}`)).status, 400)
  })

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}
