import { on, once } from 'node:events'

import { WebSocket } from 'ws'

import { sentence, silence } from '../support/client-audio.ts'

const pieceMs = 100
const silenceMs = 1_500
/** A machine that is busy with other things makes everything slow, and nothing leak. */
const patienceMs = 300_000

/** What one caller does in one round: asks in writing, speaks, is answered in audio, and leaves; at times in the middle of the answer. */
export async function converse(url: string, token: string, number: number): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=vaak`, {
    headers: { authorization: `Bearer ${token}` },
  })
  socket.on('error', () => undefined) // one that comes when nobody waits for events any more
  const events: Events = on(socket, 'message', { signal: AbortSignal.timeout(patienceMs), close: ['close'] })
  try {
    await comes(events, 'session.created')
    const written = { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Hello ${number}` }] }
    socket.send(JSON.stringify({ type: 'conversation.item.create', item: written }))
    socket.send(JSON.stringify({ type: 'response.create' }))
    await comes(events, 'response.done')
    const { pieces } = await sentence(pieceMs)
    for (const piece of pieces) socket.send(piece)
    for (let ms = 0; ms < silenceMs; ms += pieceMs) socket.send(silence(pieceMs))
    await comes(events, number % 3 === 0 ? 'response.output_audio.delta' : 'response.done')
    socket.send('{"type":"nonsense"}')
  } finally {
    await leave(socket)
  }
}

type Events = AsyncIterator<unknown[]>

/** Passes over what comes before it. */
async function comes(events: Events, type: string): Promise<void> {
  for (;;) {
    const { done, value } = await events.next()
    if (done) throw new Error(`closed before ${type} came`)
    const [data] = value
    const event = JSON.parse(String(data)) as { type: string; response?: { status: string } } // as: the server's own
    if (event.type !== type) continue
    if (event.response && event.response.status !== 'completed') throw new Error(`an answer ${event.response.status}`)
    return
  }
}

async function leave(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return
  const closed = once(socket, 'close')
  // as one does who does not come back: of who is cut off the conversation is kept for a while
  socket.close(1000)
  await closed
}
