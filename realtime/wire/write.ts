import type { Dialect } from '../session/ports.ts'
import type { ServerEvent } from './server-events.ts'
import { itemWire } from './write-item.ts'
import { responseWire } from './write-response.ts'
import { sessionWire } from './write-session.ts'

/** An event in a dialect, or nothing when the dialect does not have it. */
export function written(event: ServerEvent, eventId: string, dialect: Dialect): string | undefined {
  const type = dialect === 'ga' ? event.type : betaName(event)
  return type === undefined ? undefined : JSON.stringify({ type, event_id: eventId, ...fieldsOf(event, dialect) })
}

function betaName(event: ServerEvent): string | undefined {
  if (event.type === 'conversation.item.done') return undefined
  if (event.type === 'conversation.item.added') return 'conversation.item.created'
  if ('session' in event && event.session.kind === 'transcription') return `transcription_${event.type}`
  return event.type.replace(/^response\.output_(?=text\.|audio\.|audio_transcript\.)/, 'response.')
}

function fieldsOf(event: ServerEvent, dialect: Dialect): object {
  if (event.type === 'response.function_call_arguments.done' && dialect === 'beta') {
    const { name: _, ...fields } = event.fields
    return fields
  }
  if ('fields' in event) return event.fields
  switch (event.type) {
    case 'error':
      return { error: { ...event.refusal, event_id: event.causedBy } }
    case 'session.created':
    case 'session.updated':
      return { session: sessionWire(event.session, dialect) }
    case 'conversation.created':
      return { conversation: { id: event.conversationId, object: 'realtime.conversation' } }
    case 'conversation.item.added':
    case 'conversation.item.done':
      return { previous_item_id: event.after, item: itemWire(event.item, dialect) }
    case 'conversation.item.retrieved':
      return { item: itemWire(event.item, dialect, event.audio) }
    case 'response.created':
    case 'response.done':
      return { response: responseWire(event.response, dialect) }
    case 'response.output_item.added':
    case 'response.output_item.done': {
      const { response_id, output_index } = event
      return { response_id, output_index, item: itemWire(event.item, dialect) }
    }
  }
}
