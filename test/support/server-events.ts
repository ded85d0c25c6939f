import { serverEvents } from '../../infra/client/server-events.ts'

interface ReadEvent {
  readonly event: string
  readonly id: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read fields as they are documented
  readonly data: any
}

/** Events as they come, until the server ends the stream. */
export async function* eventsIn(response: Response): AsyncGenerator<ReadEvent> {
  for await (const { event, id, data } of serverEvents(response)) yield { event, id, data: JSON.parse(data) }
}

export async function allEvents(response: Response): Promise<ReadEvent[]> {
  const events: ReadEvent[] = []
  for await (const event of eventsIn(response)) events.push(event)
  return events
}
