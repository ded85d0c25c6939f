import { createHash } from 'node:crypto'

import { toolServerFunction } from '../../actors/conversation/ports.ts'
import type { ToolDefinition, ToolServer } from '../../actors/conversation/ports.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import { connectTools } from './tool-connection.ts'
import type { ToolConnectionLimits } from './tool-connection.ts'

/** What the model may call, and where that is. */
export interface RemoteTools {
  readonly definitions: readonly ToolDefinition[]
  find(name: string): { readonly server: ToolServer; readonly tool: string } | undefined
}

interface ListPorts {
  readonly limits: ToolConnectionLimits
  readonly clock: Clock
  readonly log: Log
}

const keptMs = 300_000
/** Nobody waits again for a server that was just away. */
const awayMs = 30_000
const keptLists = 200

interface KeptList {
  readonly untilMs: number
  readonly tools: readonly ToolDefinition[]
}

/** Which tools servers have; asked for once in a while and not before every answer. A server that is away has none. */
export function openToolLists(ports: ListPorts) {
  const kept = new Map<string, KeptList>()

  async function toolsOf(server: ToolServer, signal: AbortSignal): Promise<readonly ToolDefinition[]> {
    const key = keyOf(server)
    const known = kept.get(key)
    if (known && ports.clock.elapsedMs() < known.untilMs) return known.tools
    const found = await ask(server, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      ports.log.warn('tool server not asked', { label: server.label, error })
      return undefined
    })
    const untilMs = ports.clock.elapsedMs() + (found ? keptMs : awayMs)
    kept.delete(key)
    kept.set(key, { untilMs, tools: found ?? [] })
    const [oldest] = kept.keys()
    if (kept.size > keptLists && oldest !== undefined) kept.delete(oldest)
    return found ?? []
  }

  async function ask(server: ToolServer, signal: AbortSignal): Promise<ToolDefinition[]> {
    const connection = await connectTools(server, { limits: ports.limits, signal })
    try {
      return await connection.list()
    } finally {
      await connection.close()
    }
  }

  return async (servers: readonly ToolServer[], signal: AbortSignal): Promise<RemoteTools> => {
    const lists = await Promise.all(servers.map(async (server) => ({ server, tools: await toolsOf(server, signal) })))
    return named(lists)
  }
}

function named(
  lists: readonly { readonly server: ToolServer; readonly tools: readonly ToolDefinition[] }[],
): RemoteTools {
  const found = new Map<string, { server: ToolServer; tool: string; definition: ToolDefinition }>()
  for (const { server, tools } of lists)
    for (const tool of tools) {
      if (server.allowed && !server.allowed.includes(tool.name)) continue
      const name = toolServerFunction(server.label, tool.name)
      if (!found.has(name)) found.set(name, { server, tool: tool.name, definition: { ...tool, name } })
    }
  return { definitions: Array.from(found.values(), ({ definition }) => definition), find: (name) => found.get(name) }
}

function keyOf({ url, authorization = '' }: ToolServer): string {
  return createHash('sha256')
    .update(JSON.stringify([url, authorization]))
    .digest('base64')
}
