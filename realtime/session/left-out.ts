import type { ClientEvent } from '../wire/client-events.ts'
import type { ItemWire } from '../wire/item-schema.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'

/** What a client is told of pictures and files in its items: the rest of the item was taken without them. */
export function warningsAbout(event: ClientEvent): Refusal[] {
  if (event.type === 'conversation.item.create') return warningsIn(event.item, 'item')
  if (event.type !== 'response.create') return []
  return (event.response?.input ?? []).flatMap((item, index) =>
    item.type === 'item_reference' ? [] : warningsIn(item, `response.input[${index}]`),
  )
}

function warningsIn(item: ItemWire, place: string): Refusal[] {
  if (item.type !== 'message') return []
  return item.leftOut.map(({ index, type }) => {
    const param = `${place}.content[${index}]`
    const message = `The ${type} in '${param}' was left out, because what answers here reads text. The rest was taken.`
    return refused('unsupported_content_type', message, param)
  })
}
