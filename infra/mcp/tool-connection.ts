import type { Client } from '@modelcontextprotocol/client'

import type { ToolDefinition, ToolServer } from '../../actors/conversation/ports.ts'
import { haltingFetch } from '../timing/halting-fetch.ts'

export interface ToolConnectionLimits {
  /** For each thing that is asked of a server. */
  readonly timeoutMs: number
  /** Of all that a server answers on one connection. */
  readonly bytes: number
  readonly toolsPerServer: number
  readonly descriptionCharacters: number
  readonly parameterCharacters: number
  readonly resultCharacters: number
}

interface ToolConnection {
  /** By the names that they have there. */
  list(): Promise<ToolDefinition[]>
  /** What the model is given to read. */
  call(name: string, input: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

/** One conversation with a tool server. Nothing of it is trusted: not how much it says, nor how long it takes. */
export async function connectTools(
  server: ToolServer,
  { limits, signal }: { readonly limits: ToolConnectionLimits; readonly signal: AbortSignal },
): Promise<ToolConnection> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const options = { timeout: limits.timeoutMs, signal }
  const client = new Client({ name: 'vaak', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: boundedFetch(limits.bytes),
    ...(server.authorization !== undefined && {
      requestInit: { headers: { authorization: headerOf(server.authorization) } },
    }),
  })
  await client.connect(transport, options)
  return {
    async list() {
      const { tools } = await client.listTools(undefined, options)
      return tools.slice(0, limits.toolsPerServer).flatMap((tool) => listed(tool, limits))
    },
    async call(name, input) {
      const result = await client.callTool({ name, arguments: input }, options)
      return textOf(result).slice(0, limits.resultCharacters)
    },
    close: () => client.close(),
  }
}

/** The key goes to the server that was named and nowhere else, and an answer that does not end is broken off. */
function boundedFetch(bytesMax: number): typeof fetch {
  let bytes = 0
  return async (input, init) => {
    const response = await haltingFetch(input, { ...init, redirect: 'error' })
    if (!response.body) return response
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        if (bytes > bytesMax) controller.error(new Error(`the tool server sent more than ${bytesMax} bytes`))
        else controller.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
  }
}

/** Clients write the token alone, or the whole header. */
function headerOf(authorization: string): string {
  return authorization.includes(' ') ? authorization : `Bearer ${authorization}`
}

type RemoteTool = Awaited<ReturnType<Client['listTools']>>['tools'][number]

function listed({ name, description = '', inputSchema }: RemoteTool, limits: ToolConnectionLimits): ToolDefinition[] {
  if (JSON.stringify(inputSchema).length > limits.parameterCharacters) return []
  return [{ name, description: description.slice(0, limits.descriptionCharacters), parameters: inputSchema }]
}

type RemoteResult = Awaited<ReturnType<Client['callTool']>>

function textOf({ content, structuredContent, isError }: RemoteResult): string {
  const texts = content.map((part) => (part.type === 'text' ? part.text : `(${part.type} left out)`))
  const text = texts.length > 0 ? texts.join('\n') : JSON.stringify(structuredContent ?? {})
  return isError ? `Error: ${text}` : text
}
