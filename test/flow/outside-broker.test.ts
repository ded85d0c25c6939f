import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import { nkeys } from 'nats'

import { readConfig } from '../../infra/config/config.ts'
import { launcherFor, spawnNatsServer } from '../../infra/nats-server/child.ts'
import { newAddress } from '../../infra/nats-server/settings.ts'
import { accessOf } from '../../infra/nats/connection/access.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { aCertificate } from '../support/certificate.ts'
import { aFolder } from '../support/folder.ts'
import { natsServerForTests } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'
import { turnOf } from '../support/turns.ts'

/** Somebody else's broker, with settings of theirs; resolves with its port. */
async function aBroker(t: ExecutionContext, folder: string, settings: object): Promise<number> {
  await turnOf(t)
  const { path: binary } = await natsServerForTests()
  const [port, storeDir] = [await freePort(), join(folder, 'store')]
  await mkdir(storeDir)
  const settingsFile = join(folder, 'nats-server.conf')
  await writeFile(settingsFile, JSON.stringify({ host: '127.0.0.1', port, ...settings }))
  const launcher = await launcherFor(binary)
  const child = spawnNatsServer({ binary, settingsFile, storeDir, address: newAddress(port), launcher, log: silentLog })
  t.teardown(() => child.stop(1_000))
  return port
}

async function written(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** By settings of ours, as every role connects. */
async function connectBy(t: ExecutionContext, environment: Record<string, string>, waitOnFirstConnect = true) {
  const access = accessOf(readConfig(environment))
  const connection = await connectNats({ ...access, name: 'test', log: silentLog, waitOnFirstConnect })
  t.teardown(() => connection.close())
  return connection
}

test('a broker that speaks TLS is known by NATS_TLS_CA, and knows us by our certificate', async (t) => {
  const folder = await aFolder(t)
  const [theirs, ours] = [aCertificate('localhost'), aCertificate('vaak')]
  const [theirCert, theirKey] = [
    await written(folder, 'their.pem', theirs.cert),
    await written(folder, 'their.key', theirs.key),
  ]
  const [ourCert, ourKey] = [await written(folder, 'our.pem', ours.cert), await written(folder, 'our.key', ours.key)]
  const port = await aBroker(t, folder, {
    tls: { cert_file: theirCert, key_file: theirKey, ca_file: ourCert, verify: true },
  })
  const known = { NATS_URL: `tls://localhost:${port}`, NATS_TLS_CA: theirCert }
  const connection = await connectBy(t, { ...known, NATS_TLS_CERT: ourCert, NATS_TLS_KEY: ourKey })
  t.true((await connection.rtt()) >= 0)
  await t.throwsAsync(connectBy(t, { NATS_URL: known.NATS_URL }, false), undefined, 'who trusts nobody of them')
  await t.throwsAsync(connectBy(t, known, false), undefined, 'who shows no certificate')
})

test('who we are may be in a file of credentials', async (t) => {
  const folder = await aFolder(t)
  const user = nkeys.createUser()
  const port = await aBroker(t, folder, { authorization: { users: [{ nkey: user.getPublicKey() }] } })
  const creds = (seed: Uint8Array): string =>
    [
      '-----BEGIN NATS USER JWT-----',
      'e30.e30.e30',
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      new TextDecoder().decode(seed),
      '------END USER NKEY SEED------',
      '',
    ].join('\n')
  const url = { NATS_URL: `nats://127.0.0.1:${port}` }
  const connection = await connectBy(t, {
    ...url,
    NATS_CREDS: await written(folder, 'our.creds', creds(user.getSeed())),
  })
  t.true((await connection.rtt()) >= 0)
  const others = await written(folder, 'other.creds', creds(nkeys.createUser().getSeed()))
  await t.throwsAsync(connectBy(t, { ...url, NATS_CREDS: others }), { message: /refused our credentials/ })
})

test('a file that is not there is named at once, also by who waits for a broker', async (t) => {
  const path = join(await aFolder(t), 'none.creds')
  await t.throwsAsync(connectBy(t, { NATS_URL: 'nats://127.0.0.1:1', NATS_CREDS: path }), {
    message: /none\.creds cannot be read: check NATS_CREDS/,
  })
})
