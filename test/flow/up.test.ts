import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'

import { freePort } from '../../infra/process/free-port.ts'
import { isRunning } from '../../infra/process/process-identity.ts'
import { openApi, uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { aCaller } from '../support/caller.ts'
import { anEventLog } from '../support/event-log.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aWav } from '../support/media.ts'
import { natsServerForTests } from '../support/nats.ts'
import { descendantsOf } from '../support/process-tree.ts'
import type { RunningProcess } from '../support/process-tree.ts'
import { startVaak } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { aClient } from '../support/realtime-server.ts'
import { sampleSays } from '../support/sample-words.ts'
import { testWhere } from '../support/test-where.ts'

const run = promisify(execFile)
const withCurl = await testWhere('what is pasted into a shell', () => run('curl', ['--version']))

/** `vaak up` as a person starts it: real processes, a real nats-server, one after another on this machine. */

/** On a fresh machine they are fetched now. */
const modelsWithinMs = 100_000

test.before(async () => {
  // so that no test waits for a download
  await natsServerForTests()
})

withCurl.serial('the printed commands work when pasted, from an upload to what was said in it', async (t) => {
  const service = await anUp(t, { environment: asInstalled })
  t.regex(service.process.stdout, /^ *Docs +http:\/\/127\.0\.0\.1:\d+\/docs$/m)
  const [exports = '', upload = '', uploadStatus = '', submit = '', status = '', results = ''] = pasteable(
    service.process.stdout,
  )
  t.true(exports.startsWith('export VAAK_URL='))

  const known = `UPLOAD=${(await paste(exports, upload)).trim()}`
  const stored = await eventually('the file is stored', async () => {
    const answer = JSON.parse(await paste(exports, known, uploadStatus))
    return answer.status === 'completed' && answer
  })
  t.is(stored.files[0].filename, 'hinglish.wav')
  const submitted = `BATCH=${(await paste(exports, known, submit)).trim()}`
  await eventually(
    'the batch is finished',
    async () => JSON.parse(await paste(exports, submitted, status)).status === 'completed',
    modelsWithinMs,
  )
  const read = JSON.parse(await paste(exports, submitted, results))
  t.is(read.files[0].result.text, sampleSays)

  const api = await service.api()
  const deleted = await api.delete('/files', { json: { file_ids: [stored.files[0].file_id] } })
  t.like(deleted.body, { deleted_count: 1, jobs_cleaned: 2 })
  t.is((await api.get('/files')).body.total_files, 0)
  t.is((await fetch(`${service.url}/docs`)).status, 200)

  const form = new FormData()
  form.append('file', new Blob([await readFile('infra/samples/hinglish.wav')]), 'hinglish.wav')
  form.append('model', 'balanced')
  form.append('response_format', 'diarized_json')
  const { body: diarized } = await api.post('/v1/audio/transcriptions', { body: form })
  t.is(diarized.text, sampleSays)
  t.deepEqual([...new Set(diarized.segments.map(({ speaker }: { speaker: string }) => speaker))], ['A'])
  // nobody was refused anything, at the broker or elsewhere
  t.notRegex(service.process.stdout + service.process.stderr, /"level":"(?:error|fatal)"/)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test.serial(`${signal} stops everything with status 0, and the next start finds all data`, async (t) => {
    const first = await anUp(t)
    const uploadId = await uploaded(await first.api())
    const below = first.children()
    t.deepEqual(first.roles().map(nameOf).sort(), ['gateway', 'nats-server', 'realtime', 'worker'])
    t.is((await stat(first.dataDir)).mode & 0o777, 0o700)

    first.process.signal(signal)
    t.deepEqual(await first.process.ended, { code: 0, signal: null })
    t.deepEqual(below.filter(isRunning), [])
    t.regex(first.process.stdout, /Stopping: running requests end/)

    const second = await anUp(t, { dataDir: first.dataDir })
    const { body } = await (await second.api()).get(`/files/upload/${uploadId}`)
    t.is(body.status, 'completed')
  })

test.serial(
  'after kill -9 of the parent the roles end themselves, and the next start works on the same data',
  async (t) => {
    const first = await anUp(t)
    const uploadId = await uploaded(await first.api())
    const below = first.children()
    await first.process.kill9()

    // at once, while the roles of the first may still be ending
    const second = await anUp(t, { dataDir: first.dataDir })
    const { body } = await (await second.api()).get(`/files/upload/${uploadId}`)
    t.is(body.status, 'completed')
    await eventually('nothing of the first is left', () => !below.some(isRunning))
  },
)

test.serial('a gateway and a nats-server that are killed are brought back, at the address that was told', async (t) => {
  const service = await anUp(t, { environment: { PORT: '0' } })
  const api = await service.api()
  const uploadId = await uploaded(api)
  for (const victim of service.roles()) {
    process.kill(victim.pid, 'SIGKILL')
    await eventually(`${nameOf(victim)} is replaced`, () =>
      service.roles().some((one) => nameOf(one) === nameOf(victim) && one.pid !== victim.pid),
    )
    const answer = await eventually('the API works again', async () => {
      const watched = await api.get(`/files/upload/${uploadId}`)
      return watched.status === 200 && watched
    })
    t.is(answer.body.status, 'completed')
  }
  await uploaded(api)
  t.deepEqual(await service.process.stop(), { code: 0, signal: null })
})

test.serial('with --tls clients that insist on it talk and call at the one address that is told', async (t) => {
  const service = await anUp(t, { words: ['--tls'] })
  const { stdout } = service.process
  const certPath = /NODE_EXTRA_CA_CERTS=(\S+)/.exec(stdout)?.[1] ?? ''
  const ca = await readFile(certPath, 'utf8')
  t.regex(service.url, /^https:/)
  t.regex(stdout, new RegExp(`^ *Realtime +${service.url.replace('https', 'wss')}/v1/realtime`, 'm'))
  const apiKey = /VAAK_TOKEN=(\S+)/.exec(stdout)?.[1] ?? ''
  const client = new OpenAI({ apiKey, baseURL: `${service.url}/v1` })
  const session = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { ca } }, client)
  t.teardown(() => session.close())
  const log = anEventLog()
  session.on('event', (event) => log.add(event))
  t.is((await log.next('session.created'))['session'].model, 'gpt-realtime')
  const key = await ephemeralToken(service.url, { apiKey, ca })
  const browser = aClient(t, service.url.replace('https', 'wss'), {
    key: null,
    protocols: ['realtime', `openai-insecure-api-key.${key}`],
    client: { ca },
  })
  t.is((await browser.next('session.created')).session.instructions, 'Be kind.')
  const caller = await aCaller(t, service.url, { key, ca })
  const { session: called } = await caller.log.next('session.created')
  t.like(called, { model: 'vaak-realtime', instructions: 'Be kind.' })
})

/** As a server asks for one, at the address of everything. */
async function ephemeralToken(url: string, { apiKey, ca }: { apiKey: string; ca: string }): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const asking = request(`${url}/v1/realtime/client_secrets`, { method: 'POST', ca, headers })
  asking.end(JSON.stringify({ session: { type: 'realtime', instructions: 'Be kind.' } }))
  const [answered] = (await once(asking, 'response')) as [IncomingMessage] // as: node's `response` has nothing else
  return ((await json(answered)) as { value: string }).value // as: it is documented so
}

test.serial('a second start on the same folder is refused with a sentence, and the first goes on', async (t) => {
  const first = await anUp(t)
  const second = startVaak(t, ['up'], { DATA_DIR: first.dataDir, PORT: '0', METRICS_PORT: '0', REALTIME_PORT: '0' })
  t.deepEqual(await second.ended, { code: 1, signal: null })
  t.is(
    second.stderr.trim(),
    `${first.dataDir} is in use by process ${first.process.pid} (vaak up). Stop that process, or choose another DATA_DIR.`,
  )
  t.is((await fetch(`${first.url}/readyz`)).status, 200)
})

test.serial(
  'a port in use is a sentence with the port and its variable, status 1, and nothing left running',
  async (t) => {
    const occupant = createServer().listen(0, '127.0.0.1')
    t.teardown(() => occupant.close())
    await once(occupant, 'listening')
    const { port } = occupant.address() as { port: number } // as: it listens on a port, not on a pipe
    const started = startVaak(t, ['up'], { ...quiet, DATA_DIR: await aFolder(t), PORT: String(port) })
    const seen = new Map<number, RunningProcess>()
    await eventually('it has children', () => {
      for (const one of descendantsOf(started.pid)) seen.set(one.pid, one)
      return [...seen.values()].some((one) => nameOf(one) === 'gateway')
    })
    t.deepEqual(await started.ended, { code: 1, signal: null })
    await eventually('nothing is left of it', () => ![...seen.values()].some(isRunning))
    t.is(
      started.stderr.trim(),
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.\n` +
        'The gateway did not start; its message is above.',
    )
  },
)

test.serial('a signal while everything is still starting stops it as well', async (t) => {
  const started = startVaak(t, ['up'], { ...quiet, DATA_DIR: await aFolder(t), PORT: '0' })
  const below = await eventually('the gateway is starting', () => {
    const children = descendantsOf(started.pid)
    return children.some((one) => nameOf(one) === 'gateway') && children
  })
  t.deepEqual(await started.stop(), { code: 0, signal: null })
  // roles are gone by now; what works for one ends by itself when it finds its role gone
  await eventually('nothing is left of it', () => !below.some(isRunning))
})

/** Who only starts and ends loads no models for it. */
const quiet = {
  METRICS_PORT: '0',
  REALTIME_PORT: '0',
  LOG_LEVEL: 'error',
  SHUTDOWN_SECONDS: '2',
  RECOGNISER: 'scripted',
  TTS_ENGINE: 'light',
}
const asInstalled = { RECOGNISER: 'models', TTS_ENGINE: 'auto' }

interface Up {
  readonly process: VaakProcess
  readonly url: string
  readonly dataDir: string
  /** As the user whose token is printed. */
  api(): Promise<Api>
  children(): RunningProcess[]
  /** What it started itself: what a role starts is still called by the name of the role for a moment. */
  roles(): RunningProcess[]
}

async function anUp(
  t: ExecutionContext,
  options: { dataDir?: string; words?: readonly string[]; environment?: Record<string, string> } = {},
): Promise<Up> {
  const dataDir = options.dataDir ?? `${await aFolder(t)}/data`
  const environment = { ...quiet, DATA_DIR: dataDir, PORT: String(await freePort()), ...options.environment }
  const started = startVaak(t, ['up', ...(options.words ?? [])], environment)
  const url = await started.ready()
  return {
    process: started,
    url,
    dataDir,
    api: () => openApi(t, { url }, /VAAK_TOKEN=(\S+)/.exec(started.stdout)?.[1]),
    children: () => descendantsOf(started.pid),
    roles: () => descendantsOf(started.pid).filter((one) => one.parentPid === started.pid),
  }
}

async function uploaded(api: Api): Promise<string> {
  const { body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: aWav({ seconds: 0.5 }) }),
  })
  await eventually('the upload completes', async () => {
    const watched = await api.get(`/files/upload/${body.batch_upload_id}`)
    return watched.body.status === 'completed'
  })
  return body.batch_upload_id
}

/** The lines that the welcome shows for a shell, in order. */
function pasteable(stdout: string): string[] {
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:export |curl |UPLOAD=|BATCH=)/.test(line))
}

async function paste(...lines: string[]): Promise<string> {
  const { stdout } = await run('bash', ['-c', lines.join('\n')])
  return stdout
}

function nameOf({ command }: RunningProcess): string {
  if (command.includes('nats-server')) return 'nats-server'
  return / (\w+) ?$/.exec(command)?.[1] ?? command
}
