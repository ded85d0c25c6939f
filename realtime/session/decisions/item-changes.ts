import { withItem, withReplaced } from '../items/conversation.ts'
import type { Item } from '../items/items.ts'
import { change, doNow, inOrder, send } from './step.ts'
import type { SessionStep } from './step.ts'
import { withoutTranscription } from './transcriptions.ts'

/** Puts an item in its place and tells what had to leave for it; `next` is given the item before it. */
export function insertItem(
  place: { readonly item: Item; readonly after?: string | undefined },
  next: (previous: string | null) => readonly SessionStep[],
): SessionStep {
  return (state) => {
    const { conversation, previous, gone } = withItem(state.conversation, place, state.about.limits)
    return inOrder(state, [change({ conversation }), ...gone.map(forgetItem), ...next(previous)])
  }
}

/** What is left of an item that is not in the conversation any more. */
export function forgetItem(itemId: string): SessionStep {
  return (state) =>
    inOrder(state, [
      (current) => withoutTranscription(current, itemId),
      doNow({ type: 'ForgetAudio', itemId }),
      send({ type: 'conversation.item.deleted', fields: { item_id: itemId } }),
    ])
}

export function replaceItem(item: Item): SessionStep {
  return (state) => ({ state: { ...state, conversation: withReplaced(state.conversation, item) }, effects: [] })
}
