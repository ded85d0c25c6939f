import type { SpokenClause } from '../../../actors/conversation/ports.ts'
import type { ResponseView, ServerEvent, Usage } from '../../wire/server-events.ts'
import type { Call, Item, ItemStatus, MessageItem } from '../items/items.ts'
import type { Settings } from '../settings/settings.ts'
import { silentSamples, withClause } from '../items/spoken.ts'
import type { SpokenOutput } from '../items/spoken.ts'

/** Tells one response, event by event, in the order that clients rely on. After `finish` it says nothing more. */
export interface ResponseWriter {
  readonly isOpen: boolean
  /** Nothing while no audio is being sent. */
  readonly speaking: { readonly itemId: string; readonly sentMs: number } | undefined
  text(delta: string): void
  clause(clause: SpokenClause): void
  audio(base64: string, ms: number): void
  /** What will be known to be heard of the item that is being spoken. */
  played(ms: number): void
  call(callId: string, name: string): void
  argument(delta: string): void
  /** Ends the item that is open, if any. */
  endItem(status: ItemStatus): void
  finish(end: ResponseEnd, usage: Usage): void
}

export interface ResponseEnd {
  readonly status: Exclude<ResponseView['status'], 'in_progress'>
  readonly details: object | null
}

export interface WriterPorts {
  readonly id: string
  readonly settings: Settings
  readonly metadata: ResponseView['metadata']
  readonly conversationId: string | null
  readonly emit: (event: ServerEvent) => void
  readonly newId: (prefix: string) => string
  /** Absent for a response outside the conversation. */
  readonly conversation?: {
    /** Puts the item at the end; resolves to the one before it. */
    append(item: Item): string | null
    replace(item: Item): void
  }
}

type Open =
  | { readonly kind: 'text'; readonly item: MessageItem; readonly after: string | null; text: string }
  | {
      readonly kind: 'audio'
      readonly item: MessageItem
      readonly after: string | null
      text: string
      spoken: SpokenOutput
    }
  | { readonly kind: 'call'; readonly item: Call; readonly after: string | null; arguments: string }

export function writeResponse(ports: WriterPorts): ResponseWriter {
  const output: Item[] = []
  let open: Open | undefined
  let isOpen = true
  const view = (end: Partial<ResponseView>): ResponseView => ({
    id: ports.id,
    status: 'in_progress',
    details: null,
    output,
    conversationId: ports.conversationId,
    settings: ports.settings,
    metadata: ports.metadata,
    usage: null,
    ...end,
  })
  const place = ({ item }: Open) => ({ response_id: ports.id, item_id: item.id, output_index: output.length })
  const part = (at: Open) => ({ ...place(at), content_index: 0 })

  function begin<T extends Item>(item: T): { item: T; after: string | null } {
    endItem('completed')
    ports.emit({ type: 'response.output_item.added', response_id: ports.id, output_index: output.length, item })
    if (!ports.conversation) return { item, after: null }
    const after = ports.conversation.append(item)
    ports.emit({ type: 'conversation.item.added', item, after })
    return { item, after }
  }

  function beginMessage(kind: 'text' | 'audio'): Open {
    const id = ports.newId('item')
    const begun = begin<MessageItem>({ type: 'message', id, role: 'assistant', status: 'in_progress', parts: [] })
    const next: Open =
      kind === 'text' ? { kind, ...begun, text: '' } : { kind, ...begun, text: '', spoken: silentSamples }
    const empty = kind === 'text' ? ({ type: 'text', text: '' } as const) : ({ type: 'audio', transcript: '' } as const)
    ports.emit({ type: 'response.content_part.added', fields: { ...part(next), part: empty } })
    return next
  }

  function message(kind: 'text' | 'audio'): Exclude<Open, { kind: 'call' }> {
    if (open?.kind !== kind) open = beginMessage(kind)
    return open as Exclude<Open, { kind: 'call' }> // as: its kind was just compared or made
  }

  function endItem(status: ItemStatus): void {
    if (!open) return
    const ended = open
    const item = endContent(ended, status)
    open = undefined
    ports.conversation?.replace(item)
    // an item that was cut short is told by its response alone, as clients know it
    if (ports.conversation && status === 'completed')
      ports.emit({ type: 'conversation.item.done', item, after: ended.after })
    ports.emit({ type: 'response.output_item.done', response_id: ports.id, output_index: output.length, item })
    output.push(item)
  }

  function endContent(ended: Open, status: ItemStatus): Item {
    if (ended.kind === 'call') {
      if (ended.arguments === '') argument('{}') // a client reads arguments from their deltas only
      const { callId: call_id, name } = ended.item
      const fields = { ...place(ended), call_id, name, arguments: ended.arguments }
      ports.emit({ type: 'response.function_call_arguments.done', fields })
      return { ...ended.item, status, arguments: ended.arguments }
    }
    const fields = part(ended)
    const { text } = ended
    if (ended.kind === 'text') {
      ports.emit({ type: 'response.output_text.done', fields: { ...fields, text } })
      ports.emit({ type: 'response.content_part.done', fields: { ...fields, part: { type: 'text', text } } })
      return { ...ended.item, status, parts: [{ type: 'text', text }] }
    }
    ports.emit({ type: 'response.output_audio.done', fields })
    ports.emit({ type: 'response.output_audio_transcript.done', fields: { ...fields, transcript: text } })
    ports.emit({
      type: 'response.content_part.done',
      fields: { ...fields, part: { type: 'audio', transcript: text } },
    })
    return { ...ended.item, status, parts: [{ type: 'spoken', transcript: text, spoken: ended.spoken }] }
  }

  function argument(delta: string): void {
    if (open?.kind !== 'call' || delta === '') return
    open.arguments += delta
    const fields = { ...place(open), call_id: open.item.callId, delta }
    ports.emit({ type: 'response.function_call_arguments.delta', fields })
  }

  ports.emit({ type: 'response.created', response: view({}) })
  return {
    get isOpen() {
      return isOpen
    },
    get speaking() {
      return open?.kind === 'audio' ? { itemId: open.item.id, sentMs: open.spoken.sentMs } : undefined
    },
    text(delta) {
      const said = message('text')
      said.text += delta
      ports.emit({ type: 'response.output_text.delta', fields: { ...part(said), delta } })
    },
    clause(clause) {
      const said = message('audio')
      if (said.kind !== 'audio') return
      said.text += clause.text
      said.spoken = withClause(said.spoken, clause, said.spoken.sentMs)
      ports.emit({ type: 'response.output_audio_transcript.delta', fields: { ...part(said), delta: clause.text } })
    },
    audio(base64, ms) {
      if (open?.kind !== 'audio') return
      open.spoken = { ...open.spoken, sentMs: open.spoken.sentMs + ms }
      ports.emit({ type: 'response.output_audio.delta', fields: { ...part(open), delta: base64 } })
    },
    played(ms) {
      if (open?.kind === 'audio') open.spoken = { ...open.spoken, playedMs: ms }
    },
    call(callId, name) {
      const id = ports.newId('item')
      open = {
        kind: 'call',
        ...begin<Call>({ type: 'function_call', id, status: 'in_progress', callId, name, arguments: '' }),
        arguments: '',
      }
    },
    argument,
    endItem,
    finish({ status, details }, usage) {
      if (!isOpen) return
      endItem(status === 'completed' ? 'completed' : 'incomplete')
      isOpen = false
      ports.emit({ type: 'response.done', response: view({ status, details, usage }) })
    },
  }
}
