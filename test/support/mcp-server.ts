import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { ExecutionContext } from 'ava'
import { z } from 'zod'

interface TestToolServer {
  readonly url: string
  readonly origin: string
  /** What was called, with what. */
  readonly calls: string[]
  /** As it came with each request. */
  readonly authorizations: (string | undefined)[]
}

/** A real server of tools, with what tells the weather, what fails, what never answers, and what says too much. */
export async function aToolServer(t: ExecutionContext): Promise<TestToolServer> {
  const calls: string[] = []
  const authorizations: (string | undefined)[] = []
  const handler = createMcpHandler(() => toolsOf(calls))
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization)
    void answer(handler, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // as: it listens on a port, not on a pipe
  return { url: `${origin}/mcp`, origin, calls, authorizations }
}

function toolsOf(calls: string[]): McpServer {
  const server = new McpServer({ name: 'weather', version: '1' })
  const inputSchema = z.object({ city: z.string() })
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
  server.registerTool('get_weather', { description: 'Tells the weather.', inputSchema }, ({ city }) => {
    calls.push(`get_weather ${city}`)
    return text(`It is sunny in ${city}.`)
  })
  server.registerTool('broken', { description: 'Fails.' }, () => {
    throw new Error('out of order')
  })
  server.registerTool('silent', { description: 'Never answers.' }, () => new Promise<never>(() => undefined))
  server.registerTool('endless', { description: 'Says too much.' }, () => text('x'.repeat(100_000)))
  return server
}

async function answer(
  handler: ReturnType<typeof createMcpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await request.toArray())
  const given = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body }),
    }),
  )
  response.writeHead(given.status, Object.fromEntries(given.headers))
  if (given.body) Readable.fromWeb(given.body).pipe(response)
  else response.end()
}
