import type { ConversationTurn } from '../../../actors/conversation/ports.ts'
import type { Truncation } from '../settings/settings.ts'
import { itemText } from './items.ts'
import type { Item, ContentPart } from './items.ts'
import { playedText } from './spoken.ts'

/** What the conversation model reads: of what it said itself, only the words that were played. */
export function turnsOf(items: readonly Item[]): ConversationTurn[] {
  return items.flatMap((item): ConversationTurn[] => {
    if (item.type === 'function_call')
      return [{ kind: 'called', callId: item.callId, name: item.name, arguments: item.arguments || '{}' }]
    if (item.type === 'function_call_output') return [{ kind: 'returned', callId: item.callId, output: item.output }]
    const text = item.parts.map(saidIn).filter(Boolean).join('\n')
    const language = item.parts.find((part) => part.type === 'input_audio')?.language
    return text === '' ? [] : [{ kind: 'said', by: item.role, text, ...(language === undefined ? {} : { language }) }]
  })
}

/** The newest turns that fit, or nothing when they do not and may not be cut. */
export function fitting(
  turns: readonly ConversationTurn[],
  charactersMax: number,
  truncation: Truncation,
): readonly ConversationTurn[] | undefined {
  const total = turns.reduce((sum, turn) => sum + lengthOf(turn), 0)
  if (total <= charactersMax) return turns
  if (truncation === 'disabled') return undefined
  const target = charactersMax * (typeof truncation === 'string' ? 1 : truncation.retention_ratio)
  let kept = total
  let from = 0
  while (from < turns.length - 1 && kept > target) {
    kept -= lengthOf(turns[from]!)
    from += 1
  }
  // a result without its call confuses every model
  while (turns[from]?.kind === 'returned' && from < turns.length - 1) from += 1
  return turns.slice(from)
}

function saidIn(part: ContentPart): string {
  return part.type === 'spoken' && part.spoken ? playedText(part.spoken) : itemText(part)
}

function lengthOf(turn: ConversationTurn): number {
  if (turn.kind === 'said') return turn.text.length
  return turn.kind === 'called' ? turn.name.length + turn.arguments.length : turn.output.length
}
