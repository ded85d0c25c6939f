import { readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { startLimitedChild } from '../../../infra/process/limited-child.ts'
import type { LimitedChild } from '../../../infra/process/limited-child.ts'
import { sandboxWords } from '../../../infra/process/sandbox.ts'
import { aFolder } from '../../support/folder.ts'
import { testWhere } from '../../support/test-where.ts'

/** Whether namespaces are allowed is for who runs the machine to say, also in CI. */
const testInSandbox = await testWhere(
  'a sandbox',
  async () => {
    if (sandboxWords().length === 0) throw new Error('this machine allows no namespaces')
  },
  { mustRunInCi: false },
)

const module = new URL('../../support/planted-child.js', import.meta.url)
const limits = { name: 'planted', heapMegabytes: 64, cpuSeconds: 60, memoryBytes: 512 * 1024 * 1024 }

/** A module of somebody else's in the place of the decoder, and a server that it might talk to. */
async function planted(t: ExecutionContext, path: string): Promise<LimitedChild> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as: it listens on a port
  const child = startLimitedChild(module, { ...limits, words: [String(process.pid), String(port), path] })
  t.teardown(async () => {
    child.discard()
    await child.ended
  })
  return child
}

testInSandbox('code in a decoder sees nothing of its parent, reaches nobody, and writes nothing', async (t) => {
  const path = join(await aFolder(t), 'planted')
  const child = await planted(t, path)
  const [said] = (await once(child.stdout, 'data')) as [Buffer] // as: no encoding is set
  t.deepEqual(JSON.parse(said.toString()), { environment: false, memory: false, network: false })
  child.stdin.write('now\n')
  await child.ended
  t.is(await readFile(path, 'utf8').catch(() => ''), '')
})
