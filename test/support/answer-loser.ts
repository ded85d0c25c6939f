import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

import type { ExecutionContext } from 'ava'

/**
 * Stands between a client and its server. Of the first request that matches, the server gets every byte and the client
 * gets no answer: the write that happened and looks as if it had not.
 */
export async function anAnswerLoser(t: ExecutionContext, options: { port: number; request: RegExp }) {
  const open = new Set<Socket>()
  let lost = 0
  const server = createServer((client) => {
    const upstream = connect(options.port, '127.0.0.1')
    let asked = ''
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    }
    client.on('data', (bytes) => {
      asked = bytes.toString('latin1')
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      const isAnswer = !bytes.toString('latin1').startsWith('HTTP/1.1 100')
      if (lost > 0 || !isAnswer || !options.request.test(asked)) return client.write(bytes)
      lost += 1
      client.destroy()
      upstream.destroy()
    })
    client.on('end', () => upstream.end())
    upstream.on('end', () => client.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on loopback has no port')
  return { endpoint: `http://127.0.0.1:${address.port}`, lost: () => lost }
}
