import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface ReceivedEvent {
  readonly event: string
  readonly data: string
  /** As it is to be given back in `Last-Event-ID`, when this event has one. */
  readonly id: string | undefined
}

/** One event a megabyte is no event of ours. */
const eventMaxCharacters = 1024 * 1024

/** Events of a `text/event-stream` as they come, until the server ends it. */
export async function* serverEvents({ body }: Response): AsyncGenerator<ReceivedEvent> {
  if (!body) return
  const events = new EventSourceParserStream({ maxBufferSize: eventMaxCharacters })
  for await (const { event = 'message', data, id } of body.pipeThrough(new TextDecoderStream()).pipeThrough(events))
    yield { event, data, id }
}
