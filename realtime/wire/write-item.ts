import type { ApprovalRequest, ContentPart, Item, MessageRole, ServerCall } from '../session/items/items.ts'
import type { Dialect } from '../session/ports.ts'

/** `audio` is that of the first part that has some, as base64. */
export function itemWire(item: Item, dialect: Dialect, audio?: string): object {
  const { id, type, status } = item
  const known = { id, object: 'realtime.item', type, status }
  switch (item.type) {
    case 'message': {
      const sounding = audio === undefined ? -1 : item.parts.findIndex((part) => part.type !== 'text')
      const content = item.parts.map((part, index) => ({
        ...partWire(part, item.role, dialect),
        ...(index === sounding ? { audio: audio } : {}),
      }))
      return { ...known, role: item.role, content }
    }
    case 'function_call':
      return { ...known, name: item.name, call_id: item.callId, arguments: item.arguments }
    case 'function_call_output':
      return { ...known, call_id: item.callId, output: item.output }
    case 'mcp_approval_request':
      return { ...known, ...serverCallWire(item) }
    case 'mcp_approval_response':
      return { ...known, approval_request_id: item.requestId, approve: item.approve, reason: item.reason }
    case 'mcp_call':
      return { ...known, ...serverCallWire(item), approval_request_id: item.requestId, ...outcomeWire(item.output) }
  }
}

function serverCallWire({ label, tool, arguments: input }: ApprovalRequest | ServerCall): object {
  return { server_label: label, name: tool, arguments: input }
}

const errorPrefix = 'Error: '

function outcomeWire(output: string | null): object {
  if (!output?.startsWith(errorPrefix)) return { output, error: null }
  return { output: null, error: { type: 'tool_execution_error', message: output.slice(errorPrefix.length) } }
}

function partWire(part: ContentPart, role: MessageRole, dialect: Dialect): object {
  switch (part.type) {
    case 'text':
      if (role !== 'assistant') return { type: 'input_text', text: part.text }
      return { type: dialect === 'ga' ? 'output_text' : 'text', text: part.text }
    case 'input_audio':
      return { type: 'input_audio', transcript: part.transcript }
    case 'spoken':
      return { type: dialect === 'ga' ? 'output_audio' : 'audio', transcript: part.transcript }
  }
}
