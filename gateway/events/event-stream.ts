/** One event as `text/event-stream` has it. JSON has no line breaks of its own, so its data is one line. */
export interface StreamedEvent {
  readonly event: string
  readonly data: object
  /** Where a client goes on that lost the connection after it. */
  readonly id?: string
}

/** For a client that says nothing else. */
const reconnectMs = 2_000

export const streamBegin = `retry: ${reconnectMs}\n\n`
/** A comment: nobody is told anything, but the connection is seen to live. */
export const heartbeat = ': \n\n'

export function eventText({ event, data, id }: StreamedEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
