import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Diagnosis } from '../../infra/cli/doctor/diagnosis.ts'
import { launcherFor, spawnNatsServer } from '../../infra/nats-server/child.ts'
import { newAddress } from '../../infra/nats-server/settings.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer, natsServerForTests } from '../support/nats.ts'
import { runVaak } from '../support/processes.ts'
import { silentLog } from '../support/silent-log.ts'
import { turnOf } from '../support/turns.ts'

/** By what was looked at; with the exit code. */
async function doctor(t: ExecutionContext, environment: Record<string, string>, ...words: string[]) {
  const { code, stdout, stderr } = await runVaak(t, ['doctor', '--json', ...words], environment)
  t.regex(stderr, /^looking at the deployment/)
  const said = JSON.parse(stdout) as { healthy: boolean; diagnoses: Diagnosis[] }
  for (const { state, advice } of said.diagnoses) t.is(advice === undefined, state === 'ok')
  t.is(code, said.healthy ? 0 : 1)
  return new Map(said.diagnoses.map((diagnosis) => [diagnosis.check, diagnosis]))
}

const everyFile = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort()

test('a deployment that is well is found so, and nothing of the look is left', async (t) => {
  const nats = await aNatsServer(t)
  const dataDir = await aFolder(t)
  // models are another test's
  const settings = { environment: { RECOGNISER: 'scripted' }, dataDir }
  const gateway = await aGateway(t, nats, settings)
  const environment = { ...gatewayEnvironment(nats, settings), VAAK_URL: gateway.url }
  const before = await everyFile(dataDir)

  const well = await doctor(t, environment)
  t.deepEqual(
    [...well.values()].filter(({ state }) => state === 'failed'),
    [],
  )
  for (const check of ['broker.streams', 'broker.replicas', 'broker.writes', 'broker.room', 'version.broker'])
    t.is(well.get(check)?.state, 'ok', check)
  for (const check of ['storage.promises', 'storage.mark', 'clock.broker', 'clock.gateway', 'version.gateway'])
    t.is(well.get(check)?.state, 'ok', check)
  t.deepEqual(await everyFile(dataDir), before)
  const connection = await nats.connect()
  const { jetstreamManager } = await import('@nats-io/jetstream')
  const health = await (await jetstreamManager(connection)).streams.info('KV_vaak_health', { subjects_filter: '>' })
  t.deepEqual(Object.keys(health.state.subjects ?? {}).filter((subject) => subject.includes('doctor')), []) // prettier-ignore

  await gateway.close()
  await rm(join(dataDir, 'objects', 'stored', 'vaak-store'))
  const unmounted = await doctor(t, { ...environment, VAAK_URL: '' })
  t.is(unmounted.get('storage.mark')?.state, 'failed')
  t.regex(unmounted.get('storage.mark')?.reason ?? '', /has no mark/)
})

test('what is broken on a machine is named, each with what to do', async (t) => {
  await turnOf(t)
  const folder = await aFolder(t)
  const [key, modelDir] = [join(folder, 'key.pem'), join(folder, 'models')]
  await writeFile(key, 'secret')
  await chmod(key, 0o644)
  await mkdir(join(modelDir, 'silero-vad'), { recursive: true })
  await writeFile(join(modelDir, 'silero-vad', 'silero_vad_v6.onnx'), 'other bytes')
  const stranger = createServer((request, response) => {
    response.setHeader('Date', new Date(Date.now() - 3_600_000).toUTCString())
    response.end(request.url === '/readyz' ? JSON.stringify({ dependencies: { broker: 'ok' } }) : 'hello')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  t.teardown(() => stranger.close())
  const { port } = stranger.address() as AddressInfo // as: it listens on a port

  const found = await doctor(t, {
    DATA_DIR: join(folder, 'data'),
    VAAK_CACHE: join(folder, 'cache'),
    NATS_URL: `nats://127.0.0.1:${await freePort()}`,
    VAAK_URL: `http://127.0.0.1:${port}`,
    PORT: '0',
    REALTIME_PORT: '0',
    METRICS_PORT: String(port),
    TLS_KEY: key,
    TLS_CERT: key,
    MODEL_DIR: modelDir,
    SPOOL_RESERVE_BYTES: '1000000GiB',
  })
  const failed = ['broker.connection', 'clock.gateway', 'ports.METRICS_PORT', 'secrets.TLS_KEY', 'models.silero-vad']
  for (const check of failed) t.is(found.get(check)?.state, 'failed', check)
  t.regex(found.get('broker.connection')?.reason ?? '', /could not be reached/)
  t.regex(found.get('clock.gateway')?.reason ?? '', /is 3\d{3}\.\d s behind/)
  t.regex(found.get('secrets.TLS_KEY')?.reason ?? '', /Everybody on this machine may open/)
  t.regex(found.get('models.silero-vad')?.reason ?? '', /is corrupt/)
  t.true([...found.values()].some(({ check, state }) => check.startsWith('disk.') && state === 'failed'))
  t.deepEqual((await everyFile(folder)).filter((name) => name.includes('vaak-trial') || name.startsWith('data')), []) // prettier-ignore
})

test('a wrong password is told, and so is a broker that does not sync', async (t) => {
  await turnOf(t)
  const folder = await aFolder(t)
  const { path: binary } = await natsServerForTests()
  const [port, monitorPort, storeDir] = [await freePort(), await freePort(), join(folder, 'store')]
  await mkdir(storeDir)
  const settingsFile = join(folder, 'nats-server.conf')
  const address = newAddress(port)
  const authorization = { user: address.user, password: address.pass }
  const jetstream = { store_dir: storeDir, max_file_store: 64 * 1024 * 1024 }
  const settings = { server_name: 'theirs', host: '127.0.0.1', port, http: `127.0.0.1:${monitorPort}` }
  await writeFile(settingsFile, JSON.stringify({ ...settings, authorization, jetstream }))
  const launcher = await launcherFor(binary)
  const child = spawnNatsServer({ binary, settingsFile, storeDir, address, launcher, log: silentLog })
  t.teardown(() => child.stop(1_000))
  await child.ready(30_000)

  const environment = { DATA_DIR: join(folder, 'data'), NATS_URL: `nats://127.0.0.1:${port}`, NATS_USER: address.user }
  const quiet = { RECOGNISER: 'scripted', PORT: '0', REALTIME_PORT: '0', METRICS_PORT: '0' }
  const monitor = ['--monitor', `http://127.0.0.1:${monitorPort}`]
  const refused = await doctor(t, { ...environment, ...quiet, NATS_PASSWORD: 'wrong' }, ...monitor)
  t.is(refused.get('broker.connection')?.state, 'failed')
  t.regex(refused.get('broker.connection')?.reason ?? '', /refused our credentials/)
  t.is(refused.get('broker.sync.theirs')?.state, 'failed')
  t.is(refused.get('broker.store.theirs')?.state, 'ok')

  const empty = await doctor(t, { ...environment, ...quiet, NATS_PASSWORD: address.pass })
  t.is(empty.get('broker.streams')?.state, 'warning')
  t.is(empty.get('broker.sync')?.state, 'warning')
})
