import type { ResponseInput, ResponseWire } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import { answerPatch } from '../wire/settings-patch.ts'
import { itemFrom } from './client-items.ts'
import type { Item } from './items.ts'
import { withPatch } from './settings.ts'
import type { Settings } from './settings.ts'
import { lockedComplaint, unknownVoice } from './settings-rules.ts'
import type { SessionPorts } from './surroundings.ts'

/** What is looked at before a response begins. */
interface PlanningOf {
  readonly surroundings: SessionPorts
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
  of: PlanningOf,
): PlannedResponse | { readonly refusal: Refusal } {
  const { surroundings: around } = of
  const patch = wire ? patchOf(wire) : {}
  const locked = around.locked ? lockedComplaint(patch, of.settings(), 'response') : undefined
  if (locked) return { refusal: locked }
  const settings = withPatch(of.settings(), patch)
  const voice = around.voices.find(settings.voice)
  if (settings.modality === 'audio' && !voice)
    return { refusal: unknownVoice(settings.voice, around.voices, 'response') }
  const { toolChoice, tools } = settings
  if (typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name))
    return {
      refusal: refused('invalid_value', `There is no tool '${toolChoice.name}' to choose.`, 'response.tool_choice'),
    }
  const items = wire?.input ? inputItems(wire.input, of) : undefined
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

function inputItems(input: readonly ResponseInput[], of: PlanningOf): Item[] | { readonly refusal: Refusal } {
  const items: Item[] = []
  for (const [index, wire] of input.entries()) {
    const param = `response.input[${index}]`
    if (wire.type === 'item_reference') {
      const item = of.conversation.items.find(({ id }) => id === wire.id)
      if (!item)
        return { refusal: refused('invalid_value', `There is no item '${wire.id}' to refer to.`, `${param}.id`) }
      items.push(item)
      continue
    }
    const { newId, limits } = of.surroundings
    const format = of.settings().inputFormat
    const made = itemFrom(wire, { format, audioSecondsMax: limits.itemAudioSeconds, newId })
    if ('refusal' in made) return made
    if (made.sounds.length > 0)
      return { refusal: refused('invalid_value', 'Sound in the input of a response needs a transcript.', param) }
    items.push(made.item)
  }
  return items
}
