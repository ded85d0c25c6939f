import { createHash } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { isWhisper } from '../../../infra/speech/asr/files.ts'
import { catalogue } from '../../../infra/speech/models/catalogue.ts'
import { whisperExport } from '../../../infra/speech/models/own-models.ts'
import { openModelStore } from '../../../infra/speech/models/store.ts'
import { aFolder } from '../../support/folder.ts'
import { aHub, hubRevision } from '../../support/hub.ts'

const content = Buffer.from('a file')
const sha256 = createHash('sha256').update(content).digest('hex')
const file = { path: 'config.json', sizeBytes: content.length, sha256 }
const hubSource = { kind: 'hub', repository: 'demo/model', revision: hubRevision }

test('a folder of MODEL_DIR with a Whisper export is a model under its own name, said to be unchecked', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  await fill(modelDir, 'my-large', whisperExport)
  const located = await store().locate('my-large')
  t.is(located.files['tokenizer.json'], join(modelDir, 'my-large', 'tokenizer.json'))
  t.false(located.checked)
  t.true(isWhisper(located))
  const listed = (await store().list()).find(({ id }) => id === 'my-large')
  t.like(listed, { state: 'unchecked', source: 'MODEL_DIR', sizeBytes: whisperExport.length * content.length })
})

test('a folder that is a link to one elsewhere counts too', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  const elsewhere = await aFolder(t)
  await fill(elsewhere, 'export', whisperExport)
  await symlink(join(elsewhere, 'export'), join(modelDir, 'linked'))
  await t.notThrowsAsync(store().fetch('linked'))
})

test('an export that lacks a file says which, and what all of them are', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  await fill(modelDir, 'half', whisperExport)
  await rm(join(modelDir, 'half', 'onnx', 'decoder_model_merged_quantized.onnx'))
  await t.throwsAsync(store().fetch('half'), {
    message:
      /model half: the file onnx\/decoder_model_merged_quantized\.onnx is missing in .*half; .* has config\.json, /,
  })
  t.is((await store().list()).find(({ id }) => id === 'half')?.state, 'absent')
})

test('folders that hold something else are no models', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  await fill(modelDir, 'notes', ['README.md'])
  await fill(modelDir, '.hidden', whisperExport)
  t.is((await store().list()).length, catalogue.length)
  await t.throwsAsync(store().locate('notes'), { message: /there is no model notes/ })
})

test('a folder that comes later, or a catalogue that is mended, needs no new start', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  const opened = store()
  await t.throwsAsync(opened.locate('late'), { message: /there is no model late/ })
  await writeFile(join(modelDir, 'catalogue.json'), '[')
  await t.throwsAsync(opened.locate('late'), { instanceOf: FailureError })
  await fill(modelDir, 'late', whisperExport)
  await writeCatalogue(modelDir, [])
  await t.notThrowsAsync(opened.locate('late'))
})

test('the folder of a known model is that model, and its files must be the known ones', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  await fill(modelDir, 'whisper-tiny', [...whisperExport, 'preprocessor_config.json', 'tokenizer_config.json'])
  await t.throwsAsync(store().locate('whisper-tiny'), {
    message:
      /whisper-tiny: the file \S+ in \S+ is corrupt, .*; replace it there, or remove MODEL_DIR\/whisper-tiny\/ and run "vaak models fetch whisper-tiny"/,
  })
})

test('a row of MODEL_DIR/catalogue.json is fetched from the hub and checked like any other', async (t) => {
  const hub = await aHub(t, { 'config.json': content })
  const { modelDir, store } = await aModelDir(t)
  await writeCatalogue(modelDir, [{ id: 'turbo', licence: 'MIT', source: hubSource, files: [file] }])
  t.like((await store().list()).at(-1), { id: 'turbo', state: 'absent', licence: 'MIT', languages: ['multilingual'] })
  const located = await store(hub.url).fetch('turbo')
  t.true(located.checked)
  t.false(located.files['config.json']!.startsWith(modelDir), 'MODEL_DIR is never written to')
  t.is((await store().list()).at(-1)?.state, 'ready')
})

test('a row whose files were put into MODEL_DIR by hand is checked by its sha256', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  await writeCatalogue(modelDir, [{ id: 'mine', source: { kind: 'folder' }, files: [file] }])
  await fill(modelDir, 'mine', ['config.json'])
  t.true((await store().locate('mine')).checked)
  await writeFile(join(modelDir, 'mine', 'config.json'), 'b file')
  await t.throwsAsync(store().locate('mine'), {
    message: /mine: the file config\.json in .* is corrupt, its sha256 is .*; replace it there$/,
  })
})

for (const [what, rows, complaint] of [
  ['is no list', { id: 'x' }, /catalogue\.json: .*expected array/],
  ['has a row without files', [{ id: 'x', source: hubSource, files: [] }], /catalogue\.json: row 1\.files: /],
  [
    'names a branch',
    [{ id: 'x', source: { ...hubSource, revision: 'main' }, files: [file] }],
    /row 1\.source\.revision: the 40 digits of a commit/,
  ],
  [
    'has a short hash',
    [{ id: 'x', source: hubSource, files: [{ ...file, sha256: 'abc' }] }],
    /row 1\.files\.0\.sha256: 64 /,
  ],
  [
    'leads out of its folder',
    [{ id: 'x', source: hubSource, files: [{ ...file, path: '../../x' }] }],
    /row 1\.files\.0\.path: a path below/,
  ],
  ['has a field that nobody knows', [{ id: 'x', source: hubSource, files: [file], sise: 1 }], /row 1: .*sise/],
  [
    'takes the name of a known model',
    [{ id: 'whisper-tiny', source: hubSource, files: [file] }],
    /the id whisper-tiny is taken/,
  ],
  [
    'takes the folder of a known model',
    [{ id: 'hinglish-ctc', source: hubSource, files: [file] }],
    /the id hinglish-ctc is taken/,
  ],
  ['has a name twice', [1, 2].map(() => ({ id: 'x', source: hubSource, files: [file] })), /the id x is taken/],
] as const)
  test(`a catalogue that ${what} is refused with the place in it`, async (t) => {
    const { modelDir, store } = await aModelDir(t)
    await writeCatalogue(modelDir, rows)
    await t.throwsAsync(store().list(), { instanceOf: FailureError, message: complaint })
  })

test('a catalogue that is not JSON is refused by its name', async (t) => {
  const { modelDir, store } = await aModelDir(t)
  await writeFile(join(modelDir, 'catalogue.json'), '[')
  await t.throwsAsync(store().locate('whisper-tiny'), {
    instanceOf: FailureError,
    message: /catalogue\.json is not JSON: /,
  })
})

test('a MODEL_DIR that does not exist adds nothing', async (t) => {
  const store = openModelStore({ cacheDir: await aFolder(t), modelDir: join(await aFolder(t), 'nowhere') })
  t.is((await store.list()).length, catalogue.length)
})

async function aModelDir(t: ExecutionContext) {
  const modelDir = await aFolder(t)
  const cacheDir = await aFolder(t)
  const store = (hub = 'http://127.0.0.1:9') => openModelStore({ cacheDir, modelDir, hub, retryDelayMs: 1 })
  return { modelDir, store }
}

async function fill(modelDir: string, folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const target = join(modelDir, folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
}

async function writeCatalogue(modelDir: string, rows: unknown): Promise<void> {
  await writeFile(join(modelDir, 'catalogue.json'), JSON.stringify(rows))
}
