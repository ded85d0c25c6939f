import type { SessionLimits } from '../limits.ts'
import { charactersOf } from './items.ts'
import type { Item } from './items.ts'

/** The items in their order. Bounded in number and text: the oldest leave first. */
export interface Conversation {
  readonly items: readonly Item[]
  readonly characters: number
}

interface Inserted {
  readonly conversation: Conversation
  /** The item before the new one. */
  readonly previous: string | null
  /** What had to leave. */
  readonly gone: readonly string[]
}

export const front = 'root'

export function conversationOf(items: readonly Item[]): Conversation {
  return { items, characters: items.reduce((sum, item) => sum + charactersOf(item), 0) }
}

export function findItem({ items }: Conversation, id: string): Item | undefined {
  return items.findLast((item) => item.id === id)
}

/** Whether a call of this id is there to be answered. */
export function hasCall({ items }: Conversation, callId: string): boolean {
  return items.some((item) => item.type === 'function_call' && item.callId === callId)
}

/** At the end, or after the item of that id; `root` is the front. The id was checked before. */
export function withItem(
  { items, characters }: Conversation,
  { item, after }: { readonly item: Item; readonly after?: string | undefined },
  limits: SessionLimits,
): Inserted {
  const index = after === undefined ? items.length : after === front ? 0 : indexOf(items, after) + 1
  const grown = { items: items.toSpliced(index, 0, item), characters: characters + charactersOf(item) }
  const { conversation, gone } = withRoom(grown, item, limits)
  const previous = items[index - 1]?.id ?? null
  return { conversation, gone, previous: previous !== null && gone.includes(previous) ? null : previous }
}

/** An item that left in the meantime stays away. */
export function withReplaced(conversation: Conversation, item: Item): Conversation {
  const { items, characters } = conversation
  const index = indexOf(items, item.id)
  if (index < 0) return conversation
  return {
    items: items.with(index, item),
    characters: characters + charactersOf(item) - charactersOf(items[index]!),
  }
}

/** Nothing when there is no such item. */
export function withoutItem({ items, characters }: Conversation, id: string): Conversation | undefined {
  const index = indexOf(items, id)
  if (index < 0) return undefined
  return { items: items.toSpliced(index, 1), characters: characters - charactersOf(items[index]!) }
}

function withRoom(
  grown: Conversation,
  kept: Item,
  limits: SessionLimits,
): { readonly conversation: Conversation; readonly gone: readonly string[] } {
  const gone: string[] = []
  let conversation = grown
  while (conversation.items.length > limits.items || conversation.characters > limits.conversationCharacters) {
    const oldest = conversation.items.find((item) => item !== kept)
    const less = oldest && withoutItem(conversation, oldest.id)
    if (!oldest || !less) break
    conversation = less
    gone.push(oldest.id)
  }
  return { conversation, gone }
}

function indexOf(items: readonly Item[], id: string): number {
  return items.findLastIndex((item) => item.id === id)
}
