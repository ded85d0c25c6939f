import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import type { ExecutionContext } from 'ava'

interface AskedChat {
  readonly body: any // oxlint-disable-line typescript/no-explicit-any -- what was posted, as the test reads it
  readonly headers: IncomingMessage['headers']
}

export type ChatAnswer = (response: ServerResponse, request: AskedChat) => void

interface ChatServer {
  readonly baseUrl: string
  readonly asked: readonly AskedChat[]
}

/** A chat endpoint on a real port that answers each request with the next of these, and the rest with the last. */
export async function aChatServer(t: ExecutionContext, ...answers: ChatAnswer[]): Promise<ChatServer> {
  const asked: AskedChat[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ body: JSON.parse(body), headers: request.headers })
      answers[Math.min(asked.length, answers.length) - 1]!(response, asked.at(-1)!)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number } // as: it listens on a port
  return { asked, baseUrl: `http://127.0.0.1:${port}/v1` }
}

export const chatChunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ delta, ...more }] })}\n\n`

export const streamsChat =
  (...pieces: string[]): ChatAnswer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  }

/** A whole answer. */
export const saysInChat = (content: string): ChatAnswer =>
  streamsChat(chatChunk({ content }, { finish_reason: 'stop' }))

export const failsChat =
  (status: number, headers: Record<string, string> = {}): ChatAnswer =>
  (response) =>
    void response.writeHead(status, headers).end('no')
