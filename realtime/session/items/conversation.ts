import { charactersOf } from './items.ts'
import type { Item } from './items.ts'
import type { SessionLimits } from '../limits.ts'

/** The items in their order. Bounded in number and text: the oldest leave first. */
export interface Conversation {
  readonly items: readonly Item[]
  get(id: string): Item | undefined
  /** At the end, or after the item of that id; `root` is the front. The id was checked before. */
  insert(item: Item, after?: string): Inserted
  /** An item that left in the meantime stays away. */
  readonly replace: (item: Item) => void
  remove(id: string): boolean
  /** Whether a call of this id is there to be answered. */
  hasCall(callId: string): boolean
}

interface Inserted {
  /** The item before the new one. */
  readonly previous: string | null
  /** What had to leave. */
  readonly gone: readonly string[]
}

export const front = 'root'

export function createConversation(limits: SessionLimits): Conversation {
  const items: Item[] = []
  let characters = 0
  const indexOf = (id: string): number => items.findLastIndex((item) => item.id === id)

  function makeRoom(kept: Item): string[] {
    const gone: string[] = []
    while (items.length > limits.items || characters > limits.conversationCharacters) {
      const oldest = items.find((item) => item !== kept)
      if (!oldest) break
      remove(oldest.id)
      gone.push(oldest.id)
    }
    return gone
  }

  function remove(id: string): boolean {
    const index = indexOf(id)
    if (index < 0) return false
    characters -= charactersOf(items[index]!)
    items.splice(index, 1)
    return true
  }

  return {
    items,
    get: (id) => items[indexOf(id)],
    insert(item, after) {
      const index = after === undefined ? items.length : after === front ? 0 : indexOf(after) + 1
      items.splice(index, 0, item)
      characters += charactersOf(item)
      return { previous: items[index - 1]?.id ?? null, gone: makeRoom(item) }
    },
    replace(item) {
      const index = indexOf(item.id)
      if (index < 0) return
      characters += charactersOf(item) - charactersOf(items[index]!)
      items[index] = item
    },
    remove,
    hasCall: (callId) => items.some((item) => item.type === 'function_call' && item.callId === callId),
  }
}
