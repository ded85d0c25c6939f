import { charactersOf } from './items/items.ts'
import type { Item } from './items/items.ts'
import { playedText } from './items/spoken.ts'
import type { KeptSession } from './ports.ts'
import type { SessionState } from './state.ts'

/** Of what is kept, and of how. */
export const keptForm = 2

/** The newest items that a model would be given, as it would read them. What is still being said is not among them. */
export function keptOf({ about, settings, conversation }: SessionState, isLocked: boolean): KeptSession {
  const { id, conversationId, kind, expiresAt, limits } = about
  const items = conversation.items.filter(({ status }) => status !== 'in_progress').map(asRead)
  return {
    form: keptForm,
    id,
    conversationId,
    kind,
    expiresAt,
    isLocked,
    settings,
    items: newest(items, limits.contextCharacters),
  }
}

/** Half of the items, for who has no room for all of them; nothing when there are none to leave out. */
export function lessOf(kept: KeptSession): KeptSession | undefined {
  const { items } = kept
  return items.length === 0 ? undefined : { ...kept, items: items.slice(Math.ceil(items.length / 2)) }
}

/** Where each word lies in audio that nobody has any more is of no use. */
function asRead(item: Item): Item {
  if (item.type !== 'message') return item
  const parts = item.parts.map((part) =>
    part.type === 'spoken' && part.spoken ? ({ type: 'spoken', transcript: playedText(part.spoken) } as const) : part,
  )
  return { ...item, parts }
}

function newest(items: readonly Item[], charactersMax: number): readonly Item[] {
  let characters = 0
  const last = items.findLastIndex((item) => (characters += charactersOf(item)) > charactersMax)
  return items.slice(last + 1)
}
