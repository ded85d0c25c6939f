import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

import type { ExecutionContext } from 'ava'

const requestLine = /^(?:GET|HEAD|PUT|POST|DELETE) \S+ HTTP\/1\.1\r\n/

interface LoserOptions {
  readonly port: number
  readonly request: RegExp
  readonly times?: number
  readonly onLost?: () => void
}

/**
 * Stands between a client and its server. Of the requests that match, so many `times`, the server gets every byte and
 * the client gets no answer: the write that happened and looks as if it had not.
 */
export async function anAnswerLoser(t: ExecutionContext, options: LoserOptions) {
  const open = new Set<Socket>()
  const { port, request, times = 1, onLost = () => {} } = options
  let lost = 0
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let asked = ''
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (requestLine.test(text)) asked = text
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      const isAnswer = !bytes.toString('latin1').startsWith('HTTP/1.1 100')
      if (lost >= times || !isAnswer || !request.test(asked)) return client.write(bytes)
      lost += 1
      onLost()
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
