import type { SpokenOutput } from './spoken.ts'

/** What a conversation is made of, in one form for both dialects. */
export type Item = MessageItem | Call | CallOutput | ApprovalRequest | ApprovalResponse | ServerCall

export type MessageRole = 'user' | 'assistant' | 'system'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface MessageItem {
  readonly type: 'message'
  readonly id: string
  readonly role: MessageRole
  readonly status: ItemStatus
  readonly parts: readonly ContentPart[]
}

export interface Call {
  readonly type: 'function_call'
  readonly id: string
  readonly status: ItemStatus
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

interface CallOutput {
  readonly type: 'function_call_output'
  readonly id: string
  readonly status: ItemStatus
  readonly callId: string
  readonly output: string
}

/** A call of a tool server's tool that the client has to allow. */
export interface ApprovalRequest {
  readonly type: 'mcp_approval_request'
  readonly id: string
  readonly status: ItemStatus
  readonly label: string
  readonly tool: string
  readonly arguments: string
}

export interface ApprovalResponse {
  readonly type: 'mcp_approval_response'
  readonly id: string
  readonly status: ItemStatus
  readonly requestId: string
  readonly approve: boolean
  readonly reason: string | null
  /** Whether the call has been begun: it is made once, whatever becomes of it. */
  readonly isUsed: boolean
}

/** A call that was allowed. */
export interface ServerCall extends Omit<ApprovalRequest, 'type'> {
  readonly type: 'mcp_call'
  readonly requestId: string
  /** Null while it is made, and for good when the answer ended before it did. */
  readonly output: string | null
}

export type ContentPart = TextPart | InputAudioPart | SpokenPart

interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** Audio that came in. */
export interface InputAudioPart {
  readonly type: 'input_audio'
  /** As it is shown: null when the session has no transcription, or not yet one. */
  readonly transcript: string | null
  /** As the conversation model reads it; absent until it was transcribed. */
  readonly text?: string
  readonly language?: string
}

/** Audio that went out. */
interface SpokenPart {
  readonly type: 'spoken'
  /** As it is shown; empty after a truncation. */
  readonly transcript: string
  /** Where the words lie, for what this server spoke itself. */
  readonly spoken?: SpokenOutput
}

export function charactersOf(item: Item): number {
  if (item.type === 'function_call') return item.name.length + item.arguments.length
  if (item.type === 'function_call_output') return item.output.length
  if (item.type === 'mcp_approval_request') return item.tool.length + item.arguments.length
  if (item.type === 'mcp_approval_response') return item.reason?.length ?? 0
  if (item.type === 'mcp_call') return item.tool.length + item.arguments.length + (item.output?.length ?? 0)
  return item.parts.reduce((sum, part) => sum + itemText(part).length, 0)
}

export function itemText(part: ContentPart): string {
  if (part.type === 'text') return part.text
  return part.type === 'input_audio' ? (part.text ?? part.transcript ?? '') : part.transcript
}

/** What is known of a spoken message when so much of what was sent is not going to be played. */
export function playedLess(item: MessageItem, aheadMs: number): MessageItem | undefined {
  const index = item.parts.findIndex((part) => part.type === 'spoken' && part.spoken !== undefined)
  const part = item.parts[index]
  if (part?.type !== 'spoken' || !part.spoken || part.spoken.playedMs !== undefined) return undefined
  const playedMs = Math.max(0, part.spoken.sentMs - aheadMs)
  return { ...item, parts: item.parts.with(index, { ...part, spoken: { ...part.spoken, playedMs } }) }
}
