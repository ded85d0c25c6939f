import { z } from 'zod'

import { isJsonObject } from '../wire/json-object.ts'
import { oneOf, refused, refusedBy } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'

/** What may be said to a stream of speech. */
export type StreamEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'flush' }
  | { readonly type: 'clear' }
  | { readonly type: 'end' }

type ParsedEvent =
  | { readonly event: StreamEvent; readonly eventId: string | null }
  | { readonly refusal: Refusal; readonly eventId: string | null }

const eventIdCharacters = 512
/** Of one character, as JSON may write it, and room for the rest of an event. */
const escapedCharacters = 6
const otherCharacters = 1_024
const idField = { event_id: z.string().max(eventIdCharacters).optional() }

function schemasFor(textCharacters: number) {
  const bare = <Type extends string>(type: Type) => z.strictObject({ type: z.literal(type), ...idField })
  const text = z.string().max(textCharacters, `expected at most ${textCharacters} characters; send it in pieces.`)
  return {
    text: z.strictObject({ type: z.literal('text'), text, ...idField }),
    flush: bare('flush'),
    clear: bare('clear'),
    end: bare('end'),
  }
}

/** Decodes frames of one stream. Never throws, whatever was sent. */
export function streamEventReader(textCharacters: number): (frame: string) => ParsedEvent {
  const schemas = schemasFor(textCharacters)
  const isType = (type: unknown): type is StreamEvent['type'] =>
    typeof type === 'string' && Object.hasOwn(schemas, type)
  const charactersMax = textCharacters * escapedCharacters + otherCharacters
  return (frame) => {
    // before it is parsed: what is long, or deep, takes its time
    if (frame.length > charactersMax)
      return { refusal: refused('invalid_event', `An event has at most ${charactersMax} characters.`), eventId: null }
    const raw = jsonIn(frame)
    if (!isJsonObject(raw))
      return {
        refusal: refused('invalid_json', 'An event is a JSON object: {"type": "text", "text": "…"}.'),
        eventId: null,
      }
    const { type, event_id: id } = raw
    const eventId = typeof id === 'string' ? id.slice(0, eventIdCharacters) : null
    if (!isType(type))
      return {
        refusal: refused('invalid_value', `Invalid value for 'type'. ${oneOf(Object.keys(schemas))}`, 'type'),
        eventId,
      }
    const parsed = schemas[type].safeParse(raw)
    return parsed.success ? { event: parsed.data, eventId } : { refusal: refusedBy(parsed.error, raw), eventId }
  }
}

function jsonIn(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined
  }
}
