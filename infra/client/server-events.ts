export interface ReceivedEvent {
  readonly event: string
  readonly data: string
  /** As it is to be given back in `Last-Event-ID`, when this event has one. */
  readonly id: string | undefined
}

/** One event a megabyte is no event of ours. */
const eventMaxCharacters = 1024 * 1024

/** Events of a `text/event-stream` as they come, until the server ends it. */
export async function* serverEvents(response: Response): AsyncGenerator<ReceivedEvent> {
  if (!response.body) return
  let text = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part
    if (text.length > eventMaxCharacters) throw new Error('The server sent an event that does not end.')
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = eventIn(text.slice(0, end))
      text = text.slice(end + 2)
      if (event) yield event
    }
  }
}

/** Nothing for a comment. */
function eventIn(block: string): ReceivedEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
  }
  const data = fields.get('data')
  return data === undefined ? undefined : { event: fields.get('event') ?? 'message', data, id: fields.get('id') }
}
