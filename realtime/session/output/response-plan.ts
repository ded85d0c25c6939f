import type { ResponseInput, ResponseWire } from '../../wire/client-events.ts'
import { refused } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import { answerPatch } from '../../wire/settings-patch.ts'
import { itemFrom } from '../input/client-item.ts'
import type { Item } from '../items/items.ts'
import { withPatch } from '../settings/settings.ts'
import type { Settings } from '../settings/settings.ts'
import { lockedComplaint, unknownVoice } from '../settings/settings-rules.ts'
import type { SessionPorts } from '../ports.ts'

/** What is looked at before a response begins. */
interface PlanningOptions {
  readonly ports: SessionPorts
  readonly conversation: { readonly items: readonly Item[] }
  settings(): Settings
}

/** What a response will be, once it is known that it can be. */
export interface PlannedResponse {
  readonly settings: Settings
  /** A voice's id. */
  readonly voice: string
  readonly inConversation: boolean
  readonly metadata: Readonly<Record<string, string>> | null
  /** What it answers, given the conversation's items. */
  items(conversation: readonly Item[]): readonly Item[]
}

export function plannedResponse(
  wire: ResponseWire | undefined,
  options: PlanningOptions,
): PlannedResponse | { readonly refusal: Refusal } {
  const { ports } = options
  const patch = wire ? patchOf(wire) : {}
  const locked = ports.locked ? lockedComplaint(patch, options.settings(), 'response') : undefined
  if (locked) return { refusal: locked }
  const settings = withPatch(options.settings(), patch)
  const voice = ports.voices.find(settings.voice)
  if (settings.modality === 'audio' && !voice)
    return { refusal: unknownVoice(settings.voice, ports.voices, 'response') }
  const { toolChoice, tools } = settings
  if (typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name))
    return {
      refusal: refused('invalid_value', `There is no tool '${toolChoice.name}' to choose.`, 'response.tool_choice'),
    }
  const items = wire?.input ? inputItems(wire.input, options) : undefined
  if (items && 'refusal' in items) return items
  return {
    settings,
    voice: voice?.id ?? '',
    inConversation: wire?.conversation !== 'none',
    metadata: wire?.metadata ?? null,
    items: (conversation) => items ?? conversation,
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

function inputItems(input: readonly ResponseInput[], options: PlanningOptions): Item[] | { readonly refusal: Refusal } {
  const items: Item[] = []
  for (const [index, wire] of input.entries()) {
    const param = `response.input[${index}]`
    if (wire.type === 'item_reference') {
      const item = options.conversation.items.find(({ id }) => id === wire.id)
      if (!item)
        return { refusal: refused('invalid_value', `There is no item '${wire.id}' to refer to.`, `${param}.id`) }
      items.push(item)
      continue
    }
    const { newId, limits } = options.ports
    const format = options.settings().inputFormat
    const made = itemFrom(wire, { format, audioSecondsMax: limits.itemAudioSeconds, newId })
    if ('refusal' in made) return made
    if (made.clips.length > 0)
      return { refusal: refused('invalid_value', 'Sound in the input of a response needs a transcript.', param) }
    items.push(made.item)
  }
  return items
}
