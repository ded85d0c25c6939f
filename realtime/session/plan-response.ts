import type { ResponseInput, ResponseWire } from '../wire/client-events.ts'
import type { ItemWire } from '../wire/item-schema.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import { answerPatch } from '../wire/settings-patch.ts'
import { itemFrom } from './input/client-item.ts'
import { hasCall } from './items/conversation.ts'
import type { Item } from './items/items.ts'
import type { SessionPorts } from './ports.ts'
import { withFormats, withPatch } from './settings/settings.ts'
import type { Settings } from './settings/settings.ts'
import { lockedComplaint, lockedItemComplaint, unknownVoice } from './settings/settings-rules.ts'
import type { PlannedResponse, SessionState } from './state.ts'

/** What is looked at before a response begins. */
interface PlanningInput {
  readonly ports: SessionPorts
  readonly state: SessionState
}

export function planResponse(
  wire: ResponseWire | undefined,
  input: PlanningInput,
): PlannedResponse | { readonly refusal: Refusal } {
  const { ports, state } = input
  const patch = wire ? patchOf(wire) : {}
  const locked = ports.locked ? lockedComplaint(patch, state.settings, 'response') : undefined
  if (locked) return { refusal: locked }
  const settings = withFormats(withPatch(state.settings, patch), ports)
  const voice = ports.voices.find(settings.voice)
  if (settings.modality === 'audio' && !voice)
    return { refusal: unknownVoice(settings.voice, ports.voices, 'response') }
  const { toolChoice, tools } = settings
  if (typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name))
    return {
      refusal: refused('invalid_value', `There is no tool '${toolChoice.name}' to choose.`, 'response.tool_choice'),
    }
  const items = wire?.input ? inputItems(wire.input, input) : undefined
  if (items && 'refusal' in items) return items
  return {
    settings,
    voice: voice?.id ?? '',
    inConversation: wire?.conversation !== 'none',
    metadata: wire?.metadata ?? null,
    input: items,
  }
}

function patchOf(wire: ResponseWire): Partial<Settings> {
  const { format, voice, speed } = wire.audio?.output ?? {}
  const { turnDetection: _, ...patch } = answerPatch(wire)
  return {
    ...patch,
    ...(format === undefined ? {} : { outputFormat: format }),
    ...(voice === undefined ? {} : { voice }),
    ...(speed === undefined ? {} : { speed }),
  }
}

function inputItems(
  wires: readonly ResponseInput[],
  { ports, state }: PlanningInput,
): Item[] | { readonly refusal: Refusal } {
  const items: Item[] = []
  for (const [index, wire] of wires.entries()) {
    const param = `response.input[${index}]`
    if (wire.type === 'item_reference') {
      const item = state.conversation.items.find(({ id }) => id === wire.id)
      if (!item)
        return { refusal: refused('invalid_value', `There is no item '${wire.id}' to refer to.`, `${param}.id`) }
      items.push(item)
      continue
    }
    if (wire.type === 'mcp_approval_response')
      return { refusal: refused('invalid_value', 'Approvals are items of the conversation.', `${param}.type`) }
    const { newId, limits, locked } = ports
    const foreign = locked ? lockedInputComplaint(wire, param, state) : undefined
    if (foreign) return { refusal: foreign }
    const made = itemFrom(wire, {
      format: state.settings.inputFormat,
      audioSecondsMax: limits.itemAudioSeconds,
      newId,
    })
    if ('refusal' in made) return made
    if (made.clips.length > 0)
      return { refusal: refused('invalid_value', 'Sound in the input of a response needs a transcript.', param) }
    items.push(made.item)
  }
  return items
}

/** Here too an answer belongs to a call that was made in this conversation. */
function lockedInputComplaint(item: ItemWire, param: string, { conversation }: SessionState): Refusal | undefined {
  if (item.type === 'function_call_output' && !hasCall(conversation, item.call_id))
    return refused('invalid_value', `There is no call '${item.call_id}' that this would answer.`, `${param}.call_id`)
  return lockedItemComplaint(item, param)
}
