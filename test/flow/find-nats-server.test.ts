import { copyFile, mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { findNatsServer } from '../../infra/nats-server/find.ts'
import type { FindNatsServerOptions, ServerSource } from '../../infra/nats-server/find.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { aFolder } from '../support/folder.ts'
import { natsServerForTests } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'

/** Brings the server that the other tests use, so that nothing here needs the network a second time. */
const copying: ServerSource = {
  name: 'debian',
  async fetch(into) {
    const { path } = await natsServerForTests()
    await copyFile(path, join(into, 'nats-server'))
    return join(into, 'nats-server')
  },
}

const failing: ServerSource = {
  name: 'release',
  fetch: async (into) => {
    await writeFile(join(into, 'half'), 'a download')
    throw new Error('the line is dead')
  },
}

test('a configured server is taken as it is', async (t) => {
  const { path, version } = await natsServerForTests()
  t.deepEqual(await find(t, { configured: path }), { path, version, from: 'configured' })
})

test('a configured path without a server is an error that names it', async (t) => {
  await t.throwsAsync(find(t, { configured: '/nowhere/nats-server' }), {
    message: /^NATS_SERVER_BIN is \/nowhere\/nats-server, which does not work as a nats-server: .*ENOENT/,
  })
})

test('a configured program that is something else is an error that says so', async (t) => {
  await t.throwsAsync(find(t, { configured: '/bin/true' }), {
    message:
      'NATS_SERVER_BIN is /bin/true, which does not work as a nats-server: /bin/true does not say that it is a nats-server',
  })
})

test('a configured server that is too old is an error that names the minimum', async (t) => {
  const old = await aFakeServer(t, '2.9.10')
  await t.throwsAsync(find(t, { configured: join(old, 'nats-server') }), {
    message: /which is version 2\.9\.10; at least 2\.12\.0 is needed$/,
  })
})

test('on PATH the first server that is recent enough is taken', async (t) => {
  const [old, recent] = await Promise.all([aFakeServer(t, '2.9.10'), aFakeServer(t, '2.12.4')])
  const found = await find(t, { searchPath: `${old}:/nowhere:${recent}` })
  t.deepEqual(found, { path: join(recent, 'nats-server'), version: '2.12.4', from: 'path' })
})

test('a server on PATH that is too old is passed over', async (t) => {
  const found = await find(t, { searchPath: await aFakeServer(t, '2.9.10') })
  t.is(found.from, 'debian')
})

test('what was fetched once comes from the cache from then on', async (t) => {
  const cacheDir = await aFolder(t)
  const first = await find(t, { cacheDir })
  const second = await find(t, { cacheDir, sources: [failing] })
  t.deepEqual([first.from, second.from], ['debian', 'cache'])
  t.is(second.path, first.path)
})

test('a damaged server in the cache is noticed and fetched again', async (t) => {
  const cacheDir = await aFolder(t)
  const { path } = await find(t, { cacheDir })
  await truncate(path, 1_000)
  const again = await find(t, { cacheDir })
  const third = await find(t, { cacheDir, sources: [failing] })
  t.deepEqual([again.from, third.from], ['debian', 'cache'])
})

test('two that fetch at the same time do not disturb each other and leave one server', async (t) => {
  const cacheDir = await aFolder(t)
  const [one, other] = await Promise.all([find(t, { cacheDir }), find(t, { cacheDir })])
  t.is(one.path, other.path)
  t.is((await readdir(join(cacheDir, 'nats-server'))).length, 1)
})

test('a source that fails leaves nothing behind, and the next one is asked', async (t) => {
  const cacheDir = await aFolder(t)
  const found = await find(t, { cacheDir, sources: [failing, copying] })
  t.is(found.from, 'debian')
  t.is((await readdir(join(cacheDir, 'nats-server'))).length, 1)
})

test('when nothing works, the error says why and what to do', async (t) => {
  const error = await t.throwsAsync(find(t, { sources: [failing] }))
  t.is(
    error?.message,
    'No nats-server 2.12.0 or later is installed, and none could be fetched (release: the line is dead). ' +
      'Install the package nats-server of your system, or download it from nats.io and set NATS_SERVER_BIN to its path.',
  )
})

async function find(t: ExecutionContext, options: Partial<FindNatsServerOptions>) {
  return findNatsServer({
    searchPath: '',
    systemFolders: [],
    cacheDir: options.cacheDir ?? (await aFolder(t)),
    log: silentLog,
    startProgress: noProgress,
    sources: [copying],
    ...options,
  })
}

/** A folder with a program that says it is this version. */
async function aFakeServer(t: ExecutionContext, version: string): Promise<string> {
  const folder = join(await aFolder(t), 'bin')
  await mkdir(folder)
  await writeFile(join(folder, 'nats-server'), `#!/bin/sh\necho 'nats-server: v${version}'\n`, { mode: 0o755 })
  return folder
}
