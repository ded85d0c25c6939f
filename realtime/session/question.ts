import type { AnswerRequest } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'
import { approvedCalls, fitting, turnsOf } from './items/context.ts'
import type { Item } from './items/items.ts'
import type { Settings } from './settings/settings.ts'
import type { PlannedResponse } from './state.ts'

interface QuestionInput {
  readonly conversation: readonly Item[]
  /** The item whose silence needs no answer. */
  readonly unlessSilent: string | undefined
  readonly charactersMax: number
}

/** What the conversation model is asked; nothing when there is nothing to answer. */
export function questionOf(planned: PlannedResponse, input: QuestionInput): AnswerRequest | undefined {
  const items = planned.input ?? input.conversation
  const { unlessSilent } = input
  if (unlessSilent !== undefined && turnsOf(items.filter(({ id }) => id === unlessSilent)).length === 0)
    return undefined
  return requestOf(planned.settings, items, input.charactersMax)
}

function requestOf(settings: Settings, items: readonly Item[], charactersMax: number): AnswerRequest {
  const turns = fitting(turnsOf(items), charactersMax, settings.truncation)
  if (!turns)
    throw terminal(
      'too_large',
      `The conversation is longer than ${charactersMax} characters and its truncation is disabled. Delete items or allow truncation.`,
    )
  const approved = approvedCalls(items)
  return {
    instructions: settings.instructions,
    turns,
    ...(approved.length > 0 && { approved }),
    tools: settings.tools,
    ...(settings.toolServers.length > 0 && { toolServers: settings.toolServers }),
    toolChoice: settings.tools.length + settings.toolServers.length === 0 ? 'none' : settings.toolChoice,
    ...(settings.maxOutputTokens === 'inf' ? {} : { tokensMax: settings.maxOutputTokens }),
    ...(settings.temperature !== undefined && { temperature: settings.temperature }),
  }
}
