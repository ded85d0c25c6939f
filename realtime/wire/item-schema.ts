import { z } from 'zod'

import type { SessionLimits } from '../session/limits.ts'
import { oneOf } from './refusal.ts'

/** An item as a client writes it; either dialect's names for the parts, for every role. */
export function itemSchema(limits: SessionLimits) {
  const id = z.string().min(1).max(limits.idCharacters)
  const text = z.string().max(limits.itemCharacters)
  const known = { id: id.optional() }
  const message = z
    .object({
      ...known,
      type: z.literal('message'),
      role: z.enum(['user', 'assistant', 'system'], { error: oneOf(['user', 'assistant', 'system']) }),
      content: z.array(partSchema(limits)).max(limits.contentParts),
    })
    .transform(withoutUnreadable)
  const call = z.object({
    ...known,
    type: z.literal('function_call'),
    call_id: id.optional(),
    name: id,
    arguments: text,
  })
  const output = z.object({ ...known, type: z.literal('function_call_output'), call_id: id, output: text })
  const approval = z.object({
    ...known,
    type: z.literal('mcp_approval_response'),
    approval_request_id: id,
    approve: z.boolean(),
    reason: text.nullish(),
  })
  return z.discriminatedUnion('type', [message, call, output, approval], {
    error: oneOf(['message', 'function_call', 'function_call_output', 'mcp_approval_response']),
  })
}

export type ItemWire = z.infer<ReturnType<typeof itemSchema>>

type AnyPart = z.infer<ReturnType<typeof partSchema>>
type UnreadablePart = Extract<AnyPart, { readonly type: (typeof unreadableTypes)[number] }>
export type PartWire = Exclude<AnyPart, UnreadablePart>

/** What nothing that answers here can read. */
const unreadableTypes = ['input_image', 'input_file'] as const
const readableTypes = ['input_text', 'text', 'output_text', 'input_audio', 'audio', 'output_audio'] as const

/** A part that was left out of a message, as its place among the others. */
interface LeftOutPart {
  readonly index: number
  readonly type: UnreadablePart['type']
}

/** A message keeps what can be read of it; one of which nothing would be left is refused. */
function withoutUnreadable<Message extends { readonly content: readonly AnyPart[] }>(
  message: Message,
  context: z.core.$RefinementCtx,
): Omit<Message, 'content'> & { readonly content: readonly PartWire[]; readonly leftOut: readonly LeftOutPart[] } {
  const content = message.content.filter((part) => isReadable(part))
  const leftOut = message.content.flatMap((part, index) => (isReadable(part) ? [] : [{ index, type: part.type }]))
  if (leftOut.length > 0 && content.length === 0)
    context.addIssue({ code: 'custom', path: ['content', leftOut[0]!.index, 'type'], message: oneOf(readableTypes) })
  return { ...message, content, leftOut }
}

function isReadable(part: AnyPart): part is PartWire {
  return !unreadableTypes.some((type) => type === part.type)
}

function partSchema(limits: SessionLimits) {
  const text = z.string().max(limits.itemCharacters)
  const said = { text }
  const audio = { audio: z.string().nullish(), transcript: text.nullish() }
  return z.discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('input_text'), ...said }),
      z.object({ type: z.literal('text'), ...said }),
      z.object({ type: z.literal('output_text'), ...said }),
      z.object({ type: z.literal('input_audio'), ...audio }),
      z.object({ type: z.literal('audio'), ...audio }),
      z.object({ type: z.literal('output_audio'), ...audio }),
      z.object({ type: z.enum(unreadableTypes) }),
    ],
    { error: oneOf(readableTypes) },
  )
}
