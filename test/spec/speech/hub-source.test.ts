import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import type { FetchProgress, Model } from '../../../infra/speech/models/model.ts'
import { openModelStore } from '../../../infra/speech/models/store.ts'
import type { ModelStoreOptions } from '../../../infra/speech/models/store.ts'
import { aFolder } from '../../support/folder.ts'
import { aHub, hubRevision } from '../../support/hub.ts'

const weights = randomBytes(300_000)
const config = Buffer.from('{"model_type":"whisper"}')
const files = { 'config.json': config, 'onnx/weights.onnx': weights, 'README.md': Buffer.from('# demo') }

test('a model of the hub has exactly the files of its row, checked', async (t) => {
  const { store, folder } = await aStore(t)
  const located = await store.fetch('demo')
  t.deepEqual(Object.keys(located.files), ['config.json', 'onnx/weights.onnx'])
  t.deepEqual(await readFile(located.files['onnx/weights.onnx']!), weights)
  t.deepEqual((await readdir(join(folder, 'ready', 'demo'))).sort(), ['config.json', 'onnx'])
  t.deepEqual(await leftovers(folder), [])
  t.like((await store.list())[0], { state: 'ready', source: `hub demo/model@${hubRevision.slice(0, 7)}` })
})

test('a model of the hub that is here is not fetched again', async (t) => {
  const { store, hub } = await aStore(t)
  await store.fetch('demo')
  await store.fetch('demo')
  t.is(hub.requests.length, 2)
})

test('progress goes up to the size of all files together', async (t) => {
  const { store } = await aStore(t)
  const seen: FetchProgress[] = []
  await store.fetch('demo', (progress) => seen.push(progress))
  const totalBytes = config.length + weights.length
  t.deepEqual(seen.at(-1), { receivedBytes: totalBytes, totalBytes })
  t.true(seen.every((progress, i) => i === 0 || progress.receivedBytes >= seen[i - 1]!.receivedBytes))
})

test('a file whose connection breaks is continued where it broke', async (t) => {
  const { store, hub } = await aStore(t)
  hub.cuts.push(config.length, 100_000)
  const { files: located } = await store.fetch('demo')
  t.deepEqual(await readFile(located['onnx/weights.onnx']!), weights)
  t.is(hub.requests[1], 'onnx/weights.onnx all')
  t.regex(hub.requests.at(-1)!, /^onnx\/weights\.onnx bytes=[1-9]\d*-$/)
})

test('a hub that knows no ranges still gives a sound model', async (t) => {
  const { store, hub } = await aStore(t)
  hub.ranges = false
  hub.cuts.push(config.length, 100_000)
  const { files: located } = await store.fetch('demo')
  t.deepEqual(await readFile(located['onnx/weights.onnx']!), weights)
  t.is(hub.requests.length, 3)
})

test('what a failed download got is not fetched again by the next process, whole files neither', async (t) => {
  const { store, hub, reopen } = await aStore(t)
  hub.cuts.push(config.length, 100_000, 0, 0, 0, 0)
  const error = await t.throwsAsync(store.fetch('demo'), { instanceOf: FailureError })
  t.is(error.failure.kind, 'away')
  t.regex(
    error.message,
    /model demo: the file onnx\/weights\.onnx of http.*could not be fetched: .*"vaak models fetch demo"/,
  )
  hub.requests.length = 0
  await reopen().fetch('demo')
  t.is(hub.requests.length, 1)
  t.regex(hub.requests[0]!, /^onnx\/weights\.onnx bytes=[1-9]\d*-$/)
})

test('a hub that is busy is asked again; one that refuses is not', async (t) => {
  const { store, hub } = await aStore(t)
  hub.statuses.push(503, 429)
  await store.fetch('demo')
  t.true(await store.remove('demo'))
  for (const [status, message] of [
    [404, /model demo: the file config\.json of .*\/demo\/model is not to be had \(HTTP status 404\)/],
    [401, /model demo: the file config\.json of .* is not given to everybody .*MODEL_DIR\/demo\//],
  ] as const) {
    hub.statuses.push(status)
    const error = await t.throwsAsync(store.fetch('demo'), { message })
    t.true(error instanceof FailureError && error.failure.kind === 'terminal')
    t.is(hub.statuses.length, 0)
  }
})

test('a hub that is not there is a sentence with its address', async (t) => {
  const { reopen } = await aStore(t)
  const error = await t.throwsAsync(reopen({ hub: 'http://127.0.0.1:9' }).fetch('demo'), {
    message: /the file config\.json of http:\/\/127\.0\.0\.1:9\/demo\/model could not be fetched: /,
  })
  t.true(error instanceof FailureError && error.failure.kind === 'away')
})

test('other bytes than the row names are refused and never become the model', async (t) => {
  const { reopen, model, folder } = await aStore(t)
  for (const wrong of [
    { sha256: sha256(Buffer.from('something else')) },
    { sizeBytes: weights.length - 1 },
    { sizeBytes: weights.length + 1 },
  ]) {
    const [first, second] = model.files
    const store = reopen({ catalogue: [{ ...model, files: [first!, { ...second!, ...wrong }] }] })
    await t.throwsAsync(store.fetch('demo'), { message: /model demo: the file onnx\/weights\.onnx/ })
    t.is((await store.list())[0]?.state, 'absent')
    t.deepEqual(await readdir(join(folder, 'ready')).catch(() => []), [])
  }
})

test('an aborted fetch from the hub stops and can be continued', async (t) => {
  const { store, reopen } = await aStore(t)
  const abort = new AbortController()
  await t.throwsAsync(
    store.fetch('demo', () => abort.abort(), abort.signal),
    { instanceOf: FailureError },
  )
  await t.notThrowsAsync(reopen().fetch('demo'))
})

test('processes that fetch one model of the hub at once all end with it and leave nothing behind', async (t) => {
  const { reopen, folder } = await aStore(t)
  const models = await Promise.all([reopen(), reopen(), reopen()].map((store) => store.fetch('demo')))
  t.deepEqual(models[0], models[1])
  t.deepEqual(await readFile(models[2]!.files['onnx/weights.onnx']!), weights)
  t.deepEqual(await leftovers(folder), [])
})

async function aStore(t: ExecutionContext) {
  const folder = await aFolder(t)
  const hub = await aHub(t, files)
  const model: Model = {
    id: 'demo',
    folder: 'demo',
    languages: ['xx'],
    licence: 'MIT',
    source: { kind: 'hub', repository: 'demo/model', revision: hubRevision },
    files: [
      { path: 'config.json', sizeBytes: config.length, sha256: sha256(config) },
      { path: 'onnx/weights.onnx', sizeBytes: weights.length, sha256: sha256(weights) },
    ],
  }
  const reopen = (options: Partial<ModelStoreOptions> = {}) =>
    openModelStore({ cacheDir: folder, hub: hub.url, catalogue: [model], retryDelayMs: 1, ...options })
  return { folder, hub, model, reopen, store: reopen() }
}

async function leftovers(folder: string): Promise<string[]> {
  const names = await Promise.all(['downloads', 'incoming'].map((name) => readdir(join(folder, name)).catch(() => [])))
  return names.flat()
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
