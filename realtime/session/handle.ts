import { lacksType } from '../wire/client-events.ts'
import type { ClientEvent } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { settingsPatch } from '../wire/settings-patch.ts'
import type { SettingsWire } from '../wire/settings-schema.ts'
import type { SessionParts } from './parts.ts'
import { withPatch } from './settings/settings.ts'
import { complaintAboutSettings } from './settings/settings-rules.ts'
import type { SessionPorts } from './ports.ts'

interface HandlePorts {
  readonly session: SessionPorts
  readonly parts: SessionParts
  readonly emit: (event: ServerEvent) => void
}

/** Does what a client's event asks for, or resolves to the reason why not. */
export function handleClientEvent(event: ClientEvent, ports: HandlePorts): Refusal | undefined {
  const { input, items, responses, turns } = ports.parts
  switch (event.type) {
    case 'session.update':
      return ports.session.dialect === 'ga' && lacksType(event.session) ? noType : update(event.session, ports)
    case 'transcription_session.update':
      return update({ type: 'transcription', ...event.session }, ports)
    case 'input_audio_buffer.append':
      return input.append(event.audio)
    case 'input_audio_buffer.commit':
      return input.commit()
    case 'input_audio_buffer.clear':
      input.clear()
      return told({ type: 'input_audio_buffer.cleared', fields: {} }, ports)
    case 'conversation.item.create':
      return items.create(event)
    case 'conversation.item.retrieve':
      return items.retrieve(event)
    case 'conversation.item.truncate':
      return items.truncate(event)
    case 'conversation.item.delete':
      return items.delete(event)
    case 'response.create':
      return turns.respond(event.response ?? undefined)
    case 'response.cancel':
      return responses.cancel(event.response_id ?? undefined)
    case 'output_audio_buffer.clear':
      turns.cutPlaying()
      return told({ type: 'output_audio_buffer.cleared', fields: { response_id: responses.last ?? '' } }, ports)
  }
}

function update(wire: SettingsWire, ports: HandlePorts): Refusal | undefined {
  const { session, parts } = ports
  const patch = settingsPatch(wire)
  const refusal = complaintAboutSettings(wire, patch, { ports: session, settings: parts.settings() })
  if (refusal) return refusal
  parts.change(withPatch(parts.settings(), patch))
  return told({ type: 'session.updated', session: parts.view() }, ports)
}

function told(event: ServerEvent, { emit }: HandlePorts): undefined {
  emit(event)
}

const noType = refused('missing_required_parameter', `Missing required parameter: 'session.type'.`, 'session.type')
