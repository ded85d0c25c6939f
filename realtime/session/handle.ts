import { unreachable } from '../../actors/decision.ts'
import { lacksType } from '../wire/client-events.ts'
import type { ClientEvent } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import { settingsPatch } from '../wire/settings-patch.ts'
import type { SettingsWire } from '../wire/settings-schema.ts'
import type { SessionActor } from './actor.ts'
import { itemFrom } from './input/client-item.ts'
import { warningsAbout } from './left-out.ts'
import type { SessionPorts } from './ports.ts'
import type { SessionEvent } from './protocol.ts'
import { withFormats, withPatch, withRecording } from './settings/settings.ts'
import { complaintAboutSettings, lockedItemComplaint } from './settings/settings-rules.ts'

interface HandleOptions {
  readonly ports: SessionPorts
  readonly actor: SessionActor
  /** The id of the client's event. */
  readonly causedBy: string | null
}

/** Tells the session what a client's event asks for, with what has to be looked up or decoded for it; resolves when that had to be waited for. */
export function handleClientEvent(event: ClientEvent, options: HandleOptions): Promise<void> | undefined {
  const { actor, causedBy } = options
  if (event.type === 'input_audio_buffer.append') {
    const refusal = actor.input.append(event.audio)
    if (refusal) actor.tell({ type: 'Refuse', refusal, causedBy })
    return undefined
  }
  if (event.type === 'input_audio_buffer.commit') {
    actor.input.commit(causedBy)
    return undefined
  }
  const id = namedVocabulary(event)
  // who names them again after another, or none, gets their newest version
  if (typeof id === 'string' && !(id === actor.state.settings.vocabulary && actor.words.has(id)))
    return askWithWords(id, event, options)
  ask(event, options)
  return undefined
}

async function askWithWords(id: string, event: Request, options: HandleOptions): Promise<void> {
  if (await findWords(id, options)) ask(event, options)
}

function ask(event: Request, options: HandleOptions): void {
  const { actor, causedBy } = options
  const request = requestIn(event, options)
  actor.tell(request)
  if (request.type === 'Refuse') return
  for (const refusal of warningsAbout(event)) actor.tell({ type: 'Refuse', refusal, causedBy })
}

function namedVocabulary(event: Request): string | null | undefined {
  return 'session' in event ? event.session.vaak?.vocabulary : undefined
}

/** Whether they are there now; otherwise the client is told why not. */
export async function findWords(id: string, { ports, actor, causedBy }: HandleOptions): Promise<boolean> {
  try {
    const words = await ports.vocabularies?.read(id)
    if (words) actor.words.keep(id, words)
    else actor.tell({ type: 'Refuse', refusal: noVocabulary, causedBy })
    return words !== undefined
  } catch (error) {
    ports.log.warn('the words of a session were not read', { error })
    actor.tell({ type: 'Refuse', refusal: wordsAway, causedBy })
    return false
  }
}

type Request = Exclude<ClientEvent, { type: 'input_audio_buffer.append' | 'input_audio_buffer.commit' }>

function requestIn(event: Request, options: HandleOptions): SessionEvent {
  const { causedBy } = options
  switch (event.type) {
    case 'session.update':
      if (options.ports.dialect === 'ga' && lacksType(event.session))
        return { type: 'Refuse', refusal: noType, causedBy }
      return update(event.session, options)
    case 'transcription_session.update':
      return update({ type: 'transcription', ...event.session }, options)
    case 'input_audio_buffer.clear':
      return { type: 'ClearInput' }
    case 'conversation.item.create':
      return addItem(event, options)
    case 'conversation.item.retrieve':
      return { type: 'RetrieveItem', itemId: event.item_id, causedBy }
    case 'conversation.item.truncate': {
      const { item_id: itemId, content_index: contentIndex, audio_end_ms: audioEndMs } = event
      return { type: 'TruncateItem', itemId, contentIndex, audioEndMs, causedBy }
    }
    case 'conversation.item.delete':
      return { type: 'DeleteItem', itemId: event.item_id, causedBy }
    case 'response.create':
      return { type: 'CreateResponse', wire: event.response ?? undefined, causedBy }
    case 'response.cancel':
      return { type: 'CancelResponse', responseId: event.response_id ?? undefined, causedBy }
    case 'output_audio_buffer.clear':
      return { type: 'ClearOutput' }
    default:
      return unreachable(event)
  }
}

function update(wire: SettingsWire, { ports, actor, causedBy }: HandleOptions): SessionEvent {
  const { settings } = actor.state
  const patch = settingsPatch(wire)
  const refusal = complaintAboutSettings(wire, patch, { ports, settings })
  if (refusal) return { type: 'Refuse', refusal, causedBy }
  const patched = withRecording(withPatch(settings, patch), ports.recordings)
  return { type: 'UpdateSettings', settings: withFormats(patched, ports) }
}

function addItem(
  { item: wire, previous_item_id }: Extract<ClientEvent, { type: 'conversation.item.create' }>,
  { ports, actor, causedBy }: HandleOptions,
): SessionEvent {
  const locked = ports.locked ? lockedItemComplaint(wire, 'item') : undefined
  if (locked) return { type: 'Refuse', refusal: locked, causedBy }
  const format = actor.state.settings.inputFormat
  const made = itemFrom(wire, { format, audioSecondsMax: ports.limits.itemAudioSeconds, newId: ports.newId })
  if ('refusal' in made) return { type: 'Refuse', refusal: made.refusal, causedBy }
  return { type: 'AddItem', ...made, after: previous_item_id ?? undefined, causedBy }
}

const noVocabulary = refused('vocabulary_not_found', 'You have no vocabulary with this id.', 'session.vaak.vocabulary')
const wordsAway = refused(
  'vocabulary_unavailable',
  'Vocabularies cannot be read now: this server does not reach the storage that gateways have. Try again later, or ask who runs it.',
  'session.vaak.vocabulary',
)
const noType = refused('missing_required_parameter', `Missing required parameter: 'session.type'.`, 'session.type')
