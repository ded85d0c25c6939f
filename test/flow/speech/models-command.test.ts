import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { aFolder } from '../../support/folder.ts'
import { aHub, hubRevision } from '../../support/hub.ts'
import { runVaak } from '../../support/processes.ts'

test('a model is fetched, listed, found in MODEL_DIR by another machine, and removed', async (t) => {
  t.timeout(120_000)
  const cache = await aFolder(t)
  const models = async (words: readonly string[], environment: Record<string, string> = { VAAK_CACHE: cache }) => {
    const { code, stdout, stderr } = await runVaak(t, ['models', ...words], environment)
    t.is(code, 0, stderr)
    return stdout
  }
  t.regex(await models(['list']), /^silero-vad +absent +3 MB /m)
  t.is(await models(['fetch', 'silero-vad']), 'silero-vad is ready\n')
  t.regex(await models(['list']), /^silero-vad +ready +3 MB /m)

  const elsewhere = { VAAK_CACHE: await aFolder(t), MODEL_DIR: join(cache, 'models', 'ready') }
  t.regex(await models(['list'], elsewhere), /^silero-vad +ready /m)
  t.is(await models(['remove', 'silero-vad'], elsewhere), 'silero-vad was not in the cache\n')
  t.regex(await models(['list'], elsewhere), /^silero-vad +ready /m)

  t.is(await models(['remove', 'silero-vad']), 'silero-vad was removed\n')
  t.regex(await models(['list']), /^silero-vad +absent /m)
})

test('a model of one’s own catalogue is fetched from the hub that is configured', async (t) => {
  const content = Buffer.from('{"model_type":"whisper"}')
  const hub = await aHub(t, { 'config.json': content })
  const modelDir = await aFolder(t)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const source = { kind: 'hub', repository: 'demo/model', revision: hubRevision }
  const files = [{ path: 'config.json', sizeBytes: content.length, sha256 }]
  await writeFile(join(modelDir, 'catalogue.json'), JSON.stringify([{ id: 'demo', source, files }]))
  const environment = { VAAK_CACHE: await aFolder(t), MODEL_DIR: modelDir, HF_ENDPOINT: `${hub.url}/` }
  const fetched = await runVaak(t, ['models', 'fetch', 'demo'], environment)
  t.is(fetched.stdout, 'demo is ready\n')
  t.is(fetched.stderr, 'fetching model demo …\nfetching model demo: done\n')
  const { stdout } = await runVaak(t, ['models', 'list'], environment)
  t.regex(stdout, /^demo +ready +1 MB +multilingual +- +- +hub demo\/model@0123456 +not stated$/m)
})

test('the list is a table with the models that come with the repository ready', async (t) => {
  const { stdout } = await runVaak(t, ['models', 'list'], { VAAK_CACHE: await aFolder(t) })
  const [head, ...rows] = stdout.trimEnd().split('\n')
  t.regex(head!, /^MODEL +STATE +SIZE +LANGUAGES +USED FOR +ON OUR CLIPS +FROM +LICENCE$/)
  t.true(rows.every((row) => row.indexOf(' MB') < head!.indexOf('LANGUAGES')))
  t.regex(stdout, /^vaak-hinglish-small +ready +99 MB +hi,en +Hindi and English, heard first /m)
})

test('an unknown model is a sentence that names the known ones', async (t) => {
  for (const action of ['fetch', 'remove']) {
    const { code, stdout, stderr } = await runVaak(t, ['models', action, 'dance'], { VAAK_CACHE: await aFolder(t) })
    t.is(code, 1)
    t.is(stdout, '')
    t.regex(stderr, /^there is no model dance; the catalogue has whisper-tiny, .*\n$/)
  }
})

test('the list says what the chosen profile uses, and what a Whisper model of one’s own takes over', async (t) => {
  const cache = await aFolder(t)
  const list = async (environment: Record<string, string>): Promise<string> =>
    (await runVaak(t, ['models', 'list'], { VAAK_CACHE: cache, ...environment })).stdout
  const fast = await list({ ASR_PROFILE: 'fast' })
  t.regex(fast, /^vaak-hinglish-base .* Hindi and English, heard first /m)
  t.regex(fast, /^vaak-hinglish-small +ready +99 MB +hi,en +- /m)
  const own = await list({ WHISPER_MODEL: 'whisper-small' })
  t.regex(own, /^whisper-small .* Hindi; longer English; other languages /m)
  t.regex(own, /^vaak-hinglish-small .* tells Hindi from English /m)
})

test('a model that is nowhere to be had says where to put it', async (t) => {
  const modelDir = await aFolder(t)
  const files = [{ path: 'model.onnx', sizeBytes: 9, sha256: '0'.repeat(64) }]
  await writeFile(join(modelDir, 'catalogue.json'), JSON.stringify([{ id: 'mine', source: { kind: 'folder' }, files }]))
  const environment = { VAAK_CACHE: await aFolder(t), MODEL_DIR: modelDir }
  const { code, stderr } = await runVaak(t, ['models', 'fetch', 'mine'], environment)
  t.is(code, 1)
  t.regex(stderr, /^model mine: the file \S+ is missing.* put it into MODEL_DIR\/\S+\//)
})

test('wrong words are refused with what to try', async (t) => {
  for (const words of [[], ['dance'], ['fetch'], ['remove'], ['list', 'silero-vad']]) {
    const { code, stderr } = await runVaak(t, ['models', ...words])
    t.is(code, 2)
    t.regex(stderr, /Try: vaak models list, /)
  }
})
