import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { connect } from 'nats'
import type { NatsConnection } from 'nats'

import { spawnNatsServer } from '../../infra/nats-server/child.ts'
import { newAddress, writeSettings } from '../../infra/nats-server/settings.ts'
import { startNatsServer } from '../../infra/nats-server/supervise.ts'
import type { StartNatsServerOptions, SupervisedNatsServer } from '../../infra/nats-server/supervise.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import { identityOf, isRunning } from '../../infra/process/process-identity.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aNatsServer, natsServerForTests } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'

test('a supervised server that is killed comes back on the same port with its data', async (t) => {
  const server = await aSupervisedServer(t)
  const connection = await aConnection(t, server)
  await keepAWord(connection)
  const before = { pid: server.pid, port: server.port }

  process.kill(server.pid, 'SIGKILL')

  t.is(await eventually('the word is there again', () => keptWords(connection)), 1)
  t.not(server.pid, before.pid)
  t.is(server.port, before.port)
})

test('a supervised server that keeps dying is given up with a sentence', async (t) => {
  const restartPolicy = { firstDelayMs: 1, longestDelayMs: 1, deathsMax: 2, windowMs: 60_000 }
  const server = await aSupervisedServer(t, { restartPolicy })
  await writeFile(join(server.storeDir, 'nats-server.conf'), '{ "port": "nonsense" }')

  process.kill(server.pid, 'SIGKILL')

  const reason = await server.exited
  t.regex(reason?.message ?? '', /^nats-server died 3 times within 60 s and is not started again\. The last time: /)
})

test('a server whose port is taken ends before it is ready and says why', async (t) => {
  const taken = await aNatsServer(t)
  const storeDir = await aFolder(t)
  const { path: binary } = await natsServerForTests()
  const address = newAddress(taken.port)
  const settingsFile = await writeSettings(storeDir, address)
  const child = spawnNatsServer({ binary, storeDir, address, settingsFile, launcher: [], log: silentLog })
  await t.throwsAsync(child.ready(10_000), {
    message: /^nats-server ended before it was ready: status 1, after saying: .*address already in use/,
  })
})

test('a program that is not there ends at once with the reason', async (t) => {
  const options = { binary: '/nowhere/nats-server', storeDir: await aFolder(t), log: silentLog }
  await t.throwsAsync(startNatsServer(options), { message: /^nats-server ended before it was ready: .*ENOENT/ })
})

test('stopping leaves no process and can be done twice', async (t) => {
  const server = await aSupervisedServer(t)
  const child = identityOf(server.pid)
  t.truthy(child)

  await server.stop()
  await server.stop()

  t.false(isRunning(child!))
  t.is(await server.exited, undefined)
})

test('a server that does not listen to its signal is ended all the same', async (t) => {
  const server = await aSupervisedServer(t, { stopWithinMs: 100 })
  const child = identityOf(server.pid)
  process.kill(server.pid, 'SIGSTOP')

  await server.stop()

  t.false(isRunning(child!))
})

test('nobody enters without the secret, which only the owner can read', async (t) => {
  const server = await aSupervisedServer(t)
  await t.throwsAsync(connect({ servers: server.url, reconnect: false, timeout: 20_000 }), {
    message: /authorization/i,
  })
  const settings = await stat(join(server.storeDir, 'nats-server.conf'))
  t.is(settings.mode & 0o777, 0o600)
})

test('a server in use by a living process is refused with a sentence that names it', async (t) => {
  const server = await aSupervisedServer(t)
  const { path: binary } = await natsServerForTests()
  const second = startNatsServer({ binary, storeDir: server.storeDir, log: silentLog })
  await t.throwsAsync(second, {
    message: `${server.storeDir} is in use by nats-server ${server.pid}, started by process ${process.pid}. Stop that process, or choose another DATA_DIR.`,
  })
})

test('the orphan of a killed parent is ended by the next start', async (t) => {
  const storeDir = await aFolder(t)
  const orphan = await anOrphan(t, storeDir, { endWithParent: false })
  t.true(isRunning(orphan))

  const server = await aSupervisedServer(t, { storeDir })

  t.false(isRunning(orphan))
  t.not(server.pid, orphan.pid)
})

if (process.platform === 'linux')
  test('a server ends by itself when its parent is killed', async (t) => {
    const orphan = await anOrphan(t, await aFolder(t), { endWithParent: true })
    await eventually('the orphan is gone', () => !isRunning(orphan))
    t.pass()
  })

test('a connection outlives a server that is killed and restarted', async (t) => {
  const server = await aNatsServer(t)
  const connection = await server.connect()
  await keepAWord(connection)
  await server.kill9()
  await server.restart()
  t.is(await eventually('the word is there again', () => keptWords(connection)), 1)
})

test('a paused server answers nobody until it is resumed', async (t) => {
  const server = await aNatsServer(t)
  const connection = await server.connect()
  await server.pause()
  const answer = connection.rtt()
  t.is(await Promise.race([answer, eventually('a while', () => false, 200).catch(() => 'nothing')]), 'nothing')
  server.resume()
  t.is(typeof (await answer), 'number')
})

interface InFolder {
  readonly storeDir: string
}

async function aSupervisedServer(
  t: ExecutionContext,
  options: Partial<StartNatsServerOptions> = {},
): Promise<SupervisedNatsServer & InFolder> {
  const { path: binary } = await natsServerForTests()
  const storeDir = options.storeDir ?? (await aFolder(t))
  const server = await startNatsServer({ binary, log: silentLog, ...options, storeDir })
  t.teardown(() => server.stop())
  return Object.assign(server, { storeDir })
}

async function aConnection(t: ExecutionContext, server: SupervisedNatsServer): Promise<NatsConnection> {
  const { url, user, pass } = server
  const connection = await connectNats({ url, user, pass, name: 'test', log: silentLog, waitOnFirstConnect: true })
  t.teardown(() => connection.close())
  return connection
}

async function keepAWord(connection: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'words', subjects: ['words'] })
  await jetstream(connection).publish('words', 'kept')
}

async function keptWords(connection: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(connection, { timeout: 1_000 })
  return (await manager.streams.info('words')).state.messages
}

/** The identity of a nats-server whose parent was started for it and has been killed outright. */
async function anOrphan(t: ExecutionContext, storeDir: string, { endWithParent }: { endWithParent: boolean }) {
  const { path: binary } = await natsServerForTests()
  const script = fileURLToPath(new URL('../support/nats-parent.js', import.meta.url))
  const parent = spawn(process.execPath, [script, binary, storeDir, String(endWithParent)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => parent.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: parent.stdout }), 'line')
  const child = identityOf(JSON.parse(String(line)).pid)
  if (!child) throw new Error('the parent named a server that does not run')
  t.teardown(() => {
    if (isRunning(child)) process.kill(child.pid, 'SIGKILL')
  })
  const ended = once(parent, 'exit')
  parent.kill('SIGKILL')
  await ended
  return child
}
