import { z } from 'zod'

import type { SessionLimits } from '../session/limits.ts'
import { oneOf } from './refusal.ts'

/** An item as a client writes it; either dialect's names for the parts, for every role. */
export function itemSchema(limits: SessionLimits) {
  const id = z.string().min(1).max(limits.idCharacters)
  const text = z.string().max(limits.itemCharacters)
  const known = { id: id.optional() }
  const message = z.object({
    ...known,
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system'], { error: oneOf(['user', 'assistant', 'system']) }),
    content: z.array(partSchema(limits)).max(limits.contentParts),
  })
  const call = z.object({
    ...known,
    type: z.literal('function_call'),
    call_id: id.optional(),
    name: id,
    arguments: text,
  })
  const output = z.object({ ...known, type: z.literal('function_call_output'), call_id: id, output: text })
  return z.discriminatedUnion('type', [message, call, output], {
    error: oneOf(['message', 'function_call', 'function_call_output']),
  })
}

export type ItemWire = z.infer<ReturnType<typeof itemSchema>>

export type PartWire = z.infer<ReturnType<typeof partSchema>>

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
    ],
    { error: oneOf(['input_text', 'text', 'output_text', 'input_audio', 'audio', 'output_audio']) },
  )
}
