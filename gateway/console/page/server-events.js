import { ask } from './api.js'

/**
 * Server-sent events, read with `fetch`: an EventSource cannot send a token.
 * @returns {AsyncGenerator<{ event: string, data: any, id?: string }>}
 */
export async function* serverEvents(path, { signal, lastId }) {
  const headers = { Accept: 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) }
  const response = await ask(path, { headers, signal })
  if (response.status === 204) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse(block)
      if (event) yield event
    }
  }
}

/** Comments and what is about the stream itself have no data. */
export function parse(block) {
  const fields = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, '')
  }
  if (fields.data === undefined) return undefined
  return { event: fields.event ?? 'message', data: JSON.parse(fields.data), id: fields.id }
}
