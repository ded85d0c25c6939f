import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ExecutionContext } from 'ava'

import { startLimitedChild } from '../../../infra/process/limited-child.ts'
import type { LimitedChild } from '../../../infra/process/limited-child.ts'
import { isRunning } from '../../../infra/process/process-identity.ts'
import { sandboxState } from '../../../infra/process/sandbox.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aWav } from '../../support/media.ts'
import { descendantsOf } from '../../support/process-tree.ts'
import { testWhere } from '../../support/test-where.ts'

/** Whether namespaces are allowed is for who runs the machine to say, also in CI. */
const testInSandbox = await testWhere(
  'a sandbox',
  async () => {
    if (sandboxState() !== 'ok') throw new Error(sandboxState())
  },
  { mustRunInCi: false },
)

const module = new URL('../../support/planted-child.js', import.meta.url)
const limits = { name: 'planted', heapMegabytes: 64, cpuSeconds: 60, memoryBytes: 512 * 1024 * 1024 }

/** A module of somebody else's in the place of the decoder, and a server that it might talk to. */
async function planted(t: ExecutionContext, secret: string, what = 'try'): Promise<LimitedChild> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as: it listens on a port
  const recording = await open(secret)
  const words = [what, String(process.pid), String(port), secret]
  const child = startLimitedChild(module, { ...limits, words, descriptors: [recording.fd] })
  await recording.close()
  t.teardown(async () => {
    child.discard()
    await child.ended
  })
  await once(child.stdout, 'data')
  return child
}

testInSandbox('code in a decoder reads no secret, reaches nobody, writes nothing, and starts nothing', async (t) => {
  const secret = join(await aFolder(t), 'secret')
  await writeFile(secret, 'of the signing key', { mode: 0o644 })
  const child = await planted(t, secret)
  child.stdin.write('now\n')
  const [said] = (await once(child.stdout, 'data')) as [Buffer] // as: no encoding is set
  const tried: Record<string, boolean> = JSON.parse(said.toString())
  t.true(Object.keys(tried).length > 10)
  t.deepEqual(
    Object.keys(tried).filter((what) => tried[what]),
    [],
    'what went through',
  )
  t.is(await readFile(secret, 'utf8'), 'of the signing key')
})

testInSandbox('what ends a decoder from outside ends all of it', async (t) => {
  const child = await planted(t, fileURLToPath(module))
  const parts = descendantsOf(process.pid).filter(({ command }) => command.includes('planted-child'))
  t.true(parts.length > 0)
  child.kill()
  const { signal } = await child.ended
  t.is(signal, 'SIGKILL')
  await eventually('all of it has ended', () => !parts.some(isRunning))
})

testInSandbox('a decoder that crashes is not taken for one that was ended from outside', async (t) => {
  const child = await planted(t, fileURLToPath(module), 'crash')
  child.stdin.write('now\n')
  const { signal } = await child.ended
  t.truthy(signal)
  t.not(signal, 'SIGKILL')
})

testInSandbox('no decoder outlives a worker that is killed, whatever it does', async (t) => {
  const program = fileURLToPath(new URL('../../support/sandbox-parent.js', import.meta.url))
  const worker = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => worker.kill('SIGKILL'))
  await once(worker.stdout, 'data')
  const decoder = descendantsOf(worker.pid ?? 0)
  t.true(decoder.length > 0 && decoder.every(isRunning))
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await eventually('the decoder has ended', () => !decoder.some(isRunning))
})

for (const [name, seconds] of [
  ['are copied for it', 5],
  ['it was started with', 600],
] as const)
  testInSandbox(`a decoder decodes recordings that ${name}, one after another, and has no others`, async (t) => {
    const folder = await aFolder(t)
    const decoder = createDecoder()
    t.teardown(() => decoder.close())
    for (const extra of [0, 2, 1]) {
      const path = join(folder, String(extra))
      await writeFile(path, aWav({ seconds: seconds + extra }), { mode: 0o600 })
      let samples = 0
      for await (const block of await decoder.decode(path, { channels: 'mix' })) samples += block[0]!.length
      t.is(samples / 16_000, seconds + extra)
    }
  })
