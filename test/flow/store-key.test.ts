import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { readListenAddress } from '../../infra/nats-server/settings.ts'
import { startNatsServer } from '../../infra/nats-server/supervise.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import { aFolder } from '../support/folder.ts'
import { natsServerForTests } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'
import { turnOf } from '../support/turns.ts'

const key = 'sixteen-or-more-characters'
const said = 'what somebody said, word by word'

interface SaidStream {
  readonly write: () => Promise<void>
  readonly read: () => Promise<string | undefined>
}

async function withServer(
  t: ExecutionContext,
  { storeDir, storeKey }: { storeDir: string; storeKey: string },
  use: (stream: SaidStream) => Promise<unknown>,
): Promise<void> {
  await turnOf(t)
  const { path: binary } = await natsServerForTests()
  const server = await startNatsServer({ binary, storeDir, storeKey, log: silentLog })
  // as commands do, who read where it listens
  const address = (await readListenAddress(storeDir))!
  const connection = await connectNats({ ...address, name: 'test', log: silentLog, waitOnFirstConnect: true })
  try {
    const manager = await jetstreamManager(connection)
    await use({
      async write() {
        await manager.streams.add({ name: 'said', subjects: ['said'] })
        await jetstream(connection).publish('said', said)
      },
      read: async () => (await manager.streams.getMessage('said', { last_by_subj: 'said' }))?.string(),
    })
  } finally {
    await connection.close()
    await server.stop()
  }
}

async function isOnDisk(storeDir: string, text: string): Promise<boolean> {
  const entries = await readdir(storeDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((path) => readFile(path, 'latin1')))).some((content) => content.includes(text))
}

test('with a key nothing that is stored can be read on the disk, nor the key, and the next start reads it', async (t) => {
  const storeDir = join(await aFolder(t), 'nats')
  await withServer(t, { storeDir, storeKey: key }, ({ write }) => write())
  for (const text of [said, key]) t.false(await isOnDisk(storeDir, text))
  await withServer(t, { storeDir, storeKey: key }, async ({ read }) => t.is(await read(), said))
})

test('a store from before the key is encrypted by the next start', async (t) => {
  const storeDir = join(await aFolder(t), 'nats')
  await withServer(t, { storeDir, storeKey: '' }, ({ write }) => write())
  t.true(await isOnDisk(storeDir, said))
  await withServer(t, { storeDir, storeKey: key }, async ({ read }) => t.is(await read(), said))
  t.false(await isOnDisk(storeDir, said))
})

test('without its key, or with another, an encrypted store is left alone', async (t) => {
  const storeDir = join(await aFolder(t), 'nats')
  await withServer(t, { storeDir, storeKey: key }, ({ write }) => write())
  const nothing = (): Promise<void> => Promise.resolve()
  await t.throwsAsync(withServer(t, { storeDir, storeKey: '' }, nothing), {
    message: /is encrypted\. Set NATS_STORE_KEY/,
  })
  await t.throwsAsync(withServer(t, { storeDir, storeKey: `${key}-other` }, nothing), { message: /with another key/ })
  await withServer(t, { storeDir, storeKey: key }, async ({ read }) => t.is(await read(), said))
})
