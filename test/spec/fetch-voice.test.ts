import test from 'ava'

import { fetchVoice } from '../../infra/up/fetch-voice.ts'
import { aLog } from '../support/log.ts'

const gibibyte = 1024 ** 3
const wanted = { ttsEngine: 'auto', ttsFetch: true } as const

/** Tells what was fetched, and what was said of it. */
async function fetched(
  settings: Parameters<typeof fetchVoice>[0],
  { memoryBytes = 16 * gibibyte, fails, signal = new AbortController().signal }: FetchScene = {},
): Promise<{ models: string[]; said: string[] }> {
  const [models, log]: [string[], ReturnType<typeof aLog>] = [[], aLog()]
  const fetch: Parameters<typeof fetchVoice>[1]['store']['fetch'] = (id, onProgress = () => undefined) => {
    if (fails) return Promise.reject(fails)
    for (let receivedBytes = 0; receivedBytes <= 1_000; receivedBytes += 10)
      onProgress({ receivedBytes, totalBytes: 1_000 })
    models.push(id)
    return Promise.resolve({ id, files: {}, checked: true, sha256: {} })
  }
  await fetchVoice(settings, { store: { fetch }, signal, log, memoryBytes })
  return { models, said: log.lines.map(({ level, facts }) => `${level} ${JSON.stringify(facts)}`) }
}

interface FetchScene {
  readonly memoryBytes?: number
  readonly fails?: Error
  readonly signal?: AbortSignal
}

test('the neural voice is fetched, and how far it is is said now and then', async (t) => {
  const { models, said } = await fetched(wanted)
  t.deepEqual(models, ['kokoro-82m', 'kokoro-styles'])
  t.deepEqual(
    said.filter((line) => line.includes('82m')),
    [0, 25, 50, 75, 100].map((percent) => `info {"model":"kokoro-82m","percent":${percent}}`),
  )
})

test('it is not fetched where it is not wanted, or would not fit into memory', async (t) => {
  t.deepEqual(await fetched({ ...wanted, ttsFetch: false }), { models: [], said: [] })
  t.deepEqual(await fetched({ ...wanted, ttsEngine: 'light' }), { models: [], said: [] })
  t.deepEqual(await fetched(wanted, { memoryBytes: 2 * gibibyte }), { models: [], said: [] })
})

test('where it cannot be fetched that is said once, unless we were told to stop', async (t) => {
  const fails = new Error('there is no network')
  const { said } = await fetched(wanted, { fails })
  t.is(said.length, 1)
  t.regex(said[0]!, /^warn .*kokoro-82m/)
  t.deepEqual((await fetched(wanted, { fails, signal: AbortSignal.abort() })).said, [])
})
