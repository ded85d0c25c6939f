import { z } from 'zod'

import type { SessionLimits } from '../session/limits.ts'
import { isWithin } from './bounds.ts'
import { itemSchema } from './item-schema.ts'
import type { ItemWire } from './item-schema.ts'
import { oneOf, refused, refusedBy, shortened } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { answerFields, isFlat, outputField, settingsFields } from './settings-schema.ts'
import type { SettingsWire } from './settings-schema.ts'

export type ClientEvent = z.infer<ReturnType<typeof eventSchemas>[EventType]>
export type ResponseWire = NonNullable<Extract<ClientEvent, { type: 'response.create' }>['response']>
export type ResponseInput = ItemWire | { readonly type: 'item_reference'; readonly id: string }

type Parsed =
  | { readonly event: ClientEvent; readonly eventId: string | null }
  | { readonly refusal: Refusal; readonly eventId: string | null }

/** One frame, decoded once. Never throws, whatever was sent. */
export function parseFrame(frame: string, limits: SessionLimits): Parsed {
  if (frame.length > limits.eventCharacters)
    return { refusal: refused('invalid_event', tooLong(limits.eventCharacters)), eventId: null }
  const audio = plainAppend(frame)
  if (audio !== undefined) return { event: { type: 'input_audio_buffer.append', audio }, eventId: null }
  let raw: unknown
  try {
    raw = JSON.parse(frame)
  } catch {
    return { refusal: refused('invalid_json', 'The event could not be parsed as JSON.'), eventId: null }
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { refusal: refused('invalid_event', 'An event is a JSON object.'), eventId: null }
  const { type, event_id: id } = raw as { type?: unknown; event_id?: unknown } // as: still to be checked
  const eventId = typeof id === 'string' ? id.slice(0, echoedCharacters) : null
  return { ...parseEvent(raw, type, limits), eventId }
}

const appendHead = '{"type":"input_audio_buffer.append","audio":"'
const appendTail = '"}'

/** The audio of an event as most clients write it. It comes fifty times a second in every session, so it is not copied. */
function plainAppend(frame: string): string | undefined {
  if (!frame.startsWith(appendHead)) return undefined
  const end = frame.length - appendTail.length
  const isPlain = frame.indexOf('"', appendHead.length) === end && frame.endsWith(appendTail) && !frame.includes('\\')
  return isPlain ? frame.slice(appendHead.length, end) : undefined
}

/** Session settings outside an event: those of an ephemeral token. */
export function parseSettings(raw: unknown, limits: SessionLimits): { wire: SettingsWire } | { refusal: Refusal } {
  if (!isSmall(raw, limits)) return { refusal: tooMuch(limits) }
  const parsed = schemasFor(limits).settings.safeParse(raw)
  return parsed.success ? { wire: parsed.data } : { refusal: refusedBy(parsed.error, raw) }
}

const echoedCharacters = 512

function parseEvent(raw: object, type: unknown, limits: SessionLimits): { event: ClientEvent } | { refusal: Refusal } {
  if (type === undefined) return { refusal: refused('invalid_event', `The 'type' field is missing.`, 'type') }
  const { events } = schemasFor(limits)
  if (typeof type !== 'string' || !isEventType(type, events)) {
    const shown = shortened(typeof type === 'string' ? type : (JSON.stringify(type) ?? ''))
    return { refusal: refused('invalid_value', `Invalid value: '${shown}'. ${oneOf(Object.keys(events))}`, 'type') }
  }
  // this one comes most often and needs no schema
  if (type === 'input_audio_buffer.append' && 'audio' in raw && typeof raw.audio === 'string')
    return { event: { type, audio: raw.audio } }
  if (!isSmall(raw, limits)) return { refusal: tooMuch(limits) }
  const parsed = events[type].safeParse(raw)
  return parsed.success ? { event: parsed.data } : { refusal: refusedBy(parsed.error, raw) }
}

/** The newer dialect wants to be told which kind of session is meant. */
export function lacksType(session: SettingsWire): boolean {
  return session.type === undefined && !isFlat(session)
}

type EventType = keyof ReturnType<typeof eventSchemas>

function eventSchemas(limits: SessionLimits) {
  const id = z.string().min(1).max(limits.idCharacters)
  const settings = z.strictObject(settingsFields(limits))
  const bare = <Type extends string>(type: Type) => z.object({ type: z.literal(type) })
  return {
    'session.update': z.object({ type: z.literal('session.update'), session: settings }),
    'transcription_session.update': z.object({ type: z.literal('transcription_session.update'), session: settings }),
    'input_audio_buffer.append': z.object({ type: z.literal('input_audio_buffer.append'), audio: z.string() }),
    'input_audio_buffer.commit': bare('input_audio_buffer.commit'),
    'input_audio_buffer.clear': bare('input_audio_buffer.clear'),
    'conversation.item.create': z.object({
      type: z.literal('conversation.item.create'),
      item: itemSchema(limits),
      previous_item_id: id.nullish(),
    }),
    'conversation.item.retrieve': z.object({ type: z.literal('conversation.item.retrieve'), item_id: id }),
    'conversation.item.truncate': z.object({
      type: z.literal('conversation.item.truncate'),
      item_id: id,
      content_index: z.int().min(0),
      audio_end_ms: z.number().min(0).transform(Math.floor),
    }),
    'conversation.item.delete': z.object({ type: z.literal('conversation.item.delete'), item_id: id }),
    'response.create': z.object({ type: z.literal('response.create'), response: responseSchema(limits).nullish() }),
    'response.cancel': z.object({ type: z.literal('response.cancel'), response_id: id.nullish() }),
    'output_audio_buffer.clear': bare('output_audio_buffer.clear'),
  }
}

const pairsMax = 16

function responseSchema(limits: SessionLimits) {
  const reference = z.object({ type: z.literal('item_reference'), id: z.string().max(limits.idCharacters) })
  return z.strictObject({
    ...answerFields(limits),
    conversation: z.enum(['auto', 'none']).nullish(),
    input: z
      .array(z.union([reference, itemSchema(limits)]))
      .max(limits.items)
      .nullish(),
    metadata: z
      .unknown()
      // before each pair is looked at, which is dear when there are thousands
      .refine((pairs) => Object.keys(Object(pairs)).length <= pairsMax, {
        error: `at most ${pairsMax} pairs`,
        abort: true,
      })
      .pipe(z.record(z.string().max(64), z.string().max(512)).nullable())
      .optional(),
    audio: z.strictObject({ output: outputField.optional() }).optional(),
  })
}

interface Schemas {
  readonly events: ReturnType<typeof eventSchemas>
  readonly settings: z.ZodObject<ReturnType<typeof settingsFields>>
}

/** Building a schema costs more than a session may: all sessions with the same limits share one, however long each may last. */
const built = new Map<string, Schemas>()
const found = new WeakMap<SessionLimits, Schemas>()

function schemasFor(limits: SessionLimits): Schemas {
  const known = found.get(limits)
  if (known) return known
  // one that goes on elsewhere has as many seconds as are left of it: each would have schemas of its own, for ever
  const { sessionSeconds: _, ...others } = limits
  const name = JSON.stringify(others)
  const schemas = built.get(name) ?? build(limits)
  built.set(name, schemas)
  found.set(limits, schemas)
  return schemas
}

function build(limits: SessionLimits): Schemas {
  return { events: eventSchemas(limits), settings: z.strictObject(settingsFields(limits)) }
}

function isEventType(type: string, events: object): type is EventType {
  return Object.hasOwn(events, type)
}

function isSmall(raw: unknown, { eventValues, eventDepth }: SessionLimits): boolean {
  return isWithin(raw, { values: eventValues, depth: eventDepth })
}

function tooMuch({ eventValues, eventDepth }: SessionLimits): Refusal {
  const message = `An event holds at most ${eventValues} values, at most ${eventDepth} deep.`
  return refused('invalid_event', message)
}

function tooLong(characters: number): string {
  return `An event is at most ${characters} characters long. Send sound in shorter pieces.`
}
