import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { createRandom } from '../sim/random.ts'
import { openLink } from './rig/link.ts'
import type { Link } from './rig/link.ts'

/** Somebody who says again what is said, behind a link. */
async function anEcho(t: ExecutionContext): Promise<{ link: Link; client: Socket; heard: () => string }> {
  const server: Server = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const link = await openLink(address.port)
  const client = connect(link.port, '127.0.0.1').on('error', () => undefined)
  let heard = ''
  client.setEncoding('utf8').on('data', (text: string) => (heard += text))
  await once(client, 'connect')
  t.teardown(async () => {
    client.destroy()
    await link.close()
    server.close()
  })
  return { link, client, heard: () => heard }
}

test('a link that is held lets nothing through, and all of it in order when it is healed', async (t) => {
  const { link, client, heard } = await anEcho(t)
  client.write('a')
  await once(client, 'data')
  link.hold()
  for (const letter of 'bcd') client.write(letter)
  const early = await Promise.race([
    once(client, 'data').then(() => 'came'),
    new Promise((resolve) => setTimeout(resolve, 100, 'held')),
  ])
  t.is(early, 'held')
  link.heal()
  while (heard().length < 4) await once(client, 'data')
  t.is(heard(), 'abcd')
})

test('a link that is slow keeps the order', async (t) => {
  const { link, client, heard } = await anEcho(t)
  link.slow({ ms: 20, random: createRandom(1, 'slow') })
  for (const letter of 'abcdefgh') {
    client.write(letter)
    await new Promise((resolve) => setImmediate(resolve))
  }
  while (heard().length < 8) await once(client, 'data')
  t.is(heard(), 'abcdefgh')
})

test('a link that is cut ends its connections and refuses others until it is healed', async (t) => {
  const { link, client } = await anEcho(t)
  link.cut()
  await once(client, 'close')
  const refused = connect(link.port, '127.0.0.1').on('error', () => undefined)
  await once(refused, 'close')
  link.heal()
  const again = connect(link.port, '127.0.0.1')
  t.teardown(() => again.destroy())
  again.write('a')
  const [bytes] = await once(again, 'data')
  t.is(String(bytes), 'a')
})
