import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { freePort } from '../../infra/process/free-port.ts'
import { openApi } from '../support/api.ts'
import { inCheckout } from '../support/checkout.ts'
import { composeServices } from '../support/deploy-files.ts'
import { aFolder } from '../support/folder.ts'
import { natsServerForTests } from '../support/nats.ts'
import { submit } from '../support/pipeline.ts'
import { startVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { turnOf } from '../support/turns.ts'

const run = promisify(execFile)

/** As .env has them, with nobody at the address of the issuer. */
const secrets = {
  NATS_OPERATOR_PASSWORD: 'sOperator1',
  NATS_GATEWAY_PASSWORD: 'sGateway2',
  NATS_WORKER_PASSWORD: 'sWorker3',
  NATS_REALTIME_PASSWORD: 'sRealtime4',
  STORAGE_ACCESS_KEY_ID: 'vaak',
  STORAGE_SECRET_ACCESS_KEY: 'sStorage5',
  STORAGE_REALTIME_ACCESS_KEY_ID: 'vaak-realtime',
  STORAGE_REALTIME_SECRET_ACCESS_KEY: 'sStorage6',
  KEY_SECRET: 'sKeys6',
  JWKS_URL: 'http://127.0.0.1:1/jwks.json',
  JWT_ISSUER: 'https://issuer.example',
  JWT_AUDIENCE: 'vaak',
}

/** The broker of compose.yaml, by its own settings; resolves with its port. */
async function aBroker(t: ExecutionContext): Promise<number> {
  await turnOf(t)
  const { path: binary } = await natsServerForTests()
  const [port, monitor, store] = [await freePort(), await freePort(), await aFolder(t)]
  const settings = inCheckout('infra', 'deploy', 'nats', 'nats-server.conf')
  const words = ['--config', settings, '--addr', '127.0.0.1', '--port', String(port), '--http_port', String(monitor)]
  const child = spawn(binary, words, { env: { ...secrets, VAAK_NATS_STORE: store }, stdio: 'ignore' })
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  return port
}

/** Whether the check of the image finds a role alive at a port. */
function isHealthy(port: string): Promise<boolean> {
  const env = { PORT: port, REALTIME_PORT: '1', HEALTH_PORT: '1' }
  return run(process.execPath, [inCheckout('infra', 'deploy', 'image', 'healthcheck.mjs')], { env }).then(
    () => true,
    () => false,
  )
}

test('the services of compose.yaml transcribe together, each as a user of its own, for who has an API key', async (t) => {
  const [services, port, folder] = [await composeServices(secrets), await aBroker(t), await aFolder(t)]
  const start = (name: string, words = services[name]!.command!) =>
    startVaak(t, words, {
      ...services[name]!.environment,
      // what is another machine there is this one here
      NATS_URL: `nats://127.0.0.1:${port}`,
      STORAGE_URL: `disk:${join(folder, 'objects')}`,
      DATA_DIR: join(folder, name),
      RECOGNISER: 'scripted',
      NODE_ENV: '', // where that would be refused
      TTS_ENGINE: 'light',
      PORT: '0',
      REALTIME_PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'error',
      SHUTDOWN_SECONDS: '2',
    })
  const migrating = start('migrate')
  t.like(await migrating.ended, { code: 0 }, migrating.stderr)
  const roles = ['gateway', 'worker', 'realtime'].map((name) => start(name))
  const [url] = await Promise.all(roles.map((role) => role.ready()))
  const making = start('tools', ['keys', 'create', '--user', 'asha'])
  t.like(await making.ended, { code: 0 }, making.stderr)

  const api = await openApi(t, { url: url! }, making.stdout.trim())
  const batch = await submit(api, [{ name: 'one.wav', content: aScriptedRecording(scriptedSeconds(3)) }], {})
  await batch.finished()
  t.is((await batch.status()).status, 'completed')
  t.true(await isHealthy(new URL(url!).port))
  t.false(await isHealthy(String(await freePort())))
})
