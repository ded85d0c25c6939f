import { say } from './say.js'

/** Of a connection that broke, or of a server that stops: the conversation goes on at the next connection. */
const cutOffCodes = new Set([1006, 1012])
const triesMax = 5
const pauseMs = 500

/** One session over a WebSocket, as any browser app would hold it: an ephemeral token, a subprotocol, JSON events. */
export async function openConversation({ key, session, handlers }) {
  let socket
  let sessionId
  let tries = 0
  let isOver = false
  const send = (event) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event))
  }

  async function connect() {
    const secret = await ephemeralToken(key, session)
    if (isOver) return
    socket = new WebSocket(addressOf(sessionId), ['realtime', `openai-insecure-api-key.${secret}`])
    socket.addEventListener('message', ({ data }) => receive(JSON.parse(data)))
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('close', () => reject(new Error(say('talk.closed'))), { once: true })
    })
    socket.addEventListener('close', ({ code, reason }) => closed(code, reason))
  }

  function receive(event) {
    if (event.type === 'session.created') {
      sessionId = event.session.id
      tries = 0
    }
    handlers['*']?.(event)
    handlers[event.type]?.(event, send)
  }

  function closed(code, reason) {
    if (isOver) return
    if (!cutOffCodes.has(code) || sessionId === undefined || tries >= triesMax) return end(code, reason)
    tries += 1
    handlers.cutOff?.()
    setTimeout(() => connect().catch(() => closed(1006, '')), pauseMs * tries)
  }

  function end(code, reason) {
    isOver = true
    handlers.closed?.(code, reason)
  }

  await connect()
  return {
    send,
    close() {
      isOver = true
      socket.close(1000)
    },
  }
}

async function ephemeralToken(key, session) {
  const answer = await fetch('/v1/realtime/client_secrets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ session }),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.detail ?? say('talk.status', { status: String(answer.status) }))
  return body.value
}

function addressOf(sessionId) {
  const url = new URL('/v1/realtime?model=vaak-realtime', location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  if (sessionId !== undefined) url.searchParams.set('resume', sessionId)
  return url
}
