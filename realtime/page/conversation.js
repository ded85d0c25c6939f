/** One session over a WebSocket, as any browser app would hold it: an ephemeral token, a subprotocol, JSON events. */
export async function openConversation({ key, session, handlers }) {
  const answer = await fetch('/v1/realtime/client_secrets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ session }),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.detail ?? `The server answered ${answer.status}.`)

  const url = new URL('/v1/realtime?model=vaak-realtime', location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${body.value}`])
  const send = (event) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event))
  }
  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data)
    handlers['*']?.(event)
    handlers[event.type]?.(event, send)
  })
  socket.addEventListener('close', ({ code, reason }) => handlers.closed?.(code, reason))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('close', () => reject(new Error('The server closed the connection.')), { once: true })
  })
  return { send, close: () => socket.close(1000) }
}
