import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { fetchFromRelease, pinnedRelease } from '../../infra/nats-server/fetch-release.ts'
import { runCommand } from '../../infra/process/run-command.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { aFolder } from '../support/folder.ts'

const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`

test('a release with the pinned hash is unpacked', async (t) => {
  const { archive, baseUrl } = await aReleaseSite(t)
  const sha256 = { [platform]: createHash('sha256').update(archive).digest('hex') }
  const path = await fetchFromRelease(await aFolder(t), noProgress(''), { version: '9.9.9', baseUrl, sha256 })
  t.is(await readFile(path, 'utf8'), 'a program')
})

test('a release with another hash is not used', async (t) => {
  const { baseUrl } = await aReleaseSite(t)
  const release = { version: '9.9.9', baseUrl, sha256: { [platform]: '0'.repeat(64) } }
  await t.throwsAsync(fetchFromRelease(await aFolder(t), noProgress(''), release), { message: /it is not used$/ })
})

test('a release that is not there is an error that names it', async (t) => {
  const { baseUrl } = await aReleaseSite(t)
  const release = { version: '0.0.0', baseUrl, sha256: { [platform]: '0'.repeat(64) } }
  await t.throwsAsync(fetchFromRelease(await aFolder(t), noProgress(''), release), { message: /status 404$/ })
})

test('a platform without a pinned hash is refused before anything is fetched', async (t) => {
  const release = { version: '9.9.9', baseUrl: 'http://127.0.0.1:1', sha256: {} }
  await t.throwsAsync(fetchFromRelease(await aFolder(t), noProgress(''), release), {
    message: `no release is pinned for ${platform}`,
  })
})

test('each pinned hash is one', (t) => {
  for (const hash of Object.values(pinnedRelease.sha256)) t.regex(hash, /^[0-9a-f]{64}$/)
})

async function aReleaseSite(t: ExecutionContext): Promise<{ archive: Buffer; baseUrl: string }> {
  const folder = await aFolder(t)
  const name = `nats-server-v9.9.9-${platform}`
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'nats-server'), 'a program')
  await chmod(join(folder, name, 'nats-server'), 0o755)
  await runCommand({ program: 'tar', args: ['-czf', 'archive.tar.gz', name], cwd: folder, timeoutMs: 10_000 })
  const archive = await readFile(join(folder, 'archive.tar.gz'))
  const server = createServer((request, response) => {
    if (request.url === `/v9.9.9/${name}.tar.gz`) response.end(archive)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { archive, baseUrl: `http://127.0.0.1:${port}` }
}
