export interface ReadEvent {
  readonly event: string
  readonly id: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read fields as they are documented
  readonly data: any
}

/** Events as they come, until the server ends the stream. */
export async function* eventsIn(response: Response): AsyncGenerator<ReadEvent> {
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      )
      text = text.slice(end + 2)
      const event = fields.get('event')
      if (event !== undefined) yield { event, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') }
    }
  }
}

export async function allEvents(response: Response): Promise<ReadEvent[]> {
  const events: ReadEvent[] = []
  for await (const event of eventsIn(response)) events.push(event)
  return events
}
