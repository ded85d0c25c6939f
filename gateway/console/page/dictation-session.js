import { read } from './api.js'
import { toBase64 } from './base64.js'
import { say } from './say.js'
import { turnsInOrder } from './turns-in-order.js'

const lastWordsWithinMs = 15_000
/** Who dictates pauses in mid-sentence, to think. */
const patient = { type: 'semantic_vad', eagerness: 'low' }

/**
 * A realtime session that writes down what it hears. `partial` gets the words of what is being said, `final` those of what was said, `ended`
 * is called when the server ends it.
 */
export async function openDictation({ language, partial, final, ended, signal }) {
  const input = { transcription: language ? { language } : {}, turn_detection: patient }
  const json = { session: { type: 'transcription', audio: { input } } }
  const { value } = await read('/v1/realtime/client_secrets', { method: 'POST', json, signal })
  const socket = new WebSocket(address(), ['realtime', `openai-insecure-api-key.${value}`])
  const send = (event) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event))
  }
  const turns = turnsInOrder({ partial, final })
  let whenQuiet = () => undefined
  const settle = (id, words) => {
    turns.end(id, words)
    if (turns.isQuiet()) whenQuiet()
  }
  const handlers = {
    'input_audio_buffer.speech_started': ({ item_id: id }) => turns.begin(id),
    'conversation.item.input_audio_transcription.delta': ({ item_id: id, delta }) => turns.add(id, delta),
    'conversation.item.input_audio_transcription.completed': ({ item_id: id, transcript }) =>
      settle(id, transcript.trim()),
    'conversation.item.input_audio_transcription.failed': ({ item_id: id }) => settle(id),
  }
  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data)
    handlers[event.type]?.(event)
  })
  await opened(socket)
  socket.addEventListener('close', ({ reason }) => {
    whenQuiet()
    ended(reason)
  })
  return {
    record: (samples) => send({ type: 'input_audio_buffer.append', audio: toBase64(samples) }),
    /** Resolves when the last words are there, or have taken too long. */
    async close() {
      // what is being said is over, however patient the server would be
      if (!turns.isQuiet()) send({ type: 'input_audio_buffer.commit' })
      await new Promise((resolve) => {
        whenQuiet = resolve
        setTimeout(resolve, lastWordsWithinMs)
        if (turns.isQuiet() || socket.readyState !== WebSocket.OPEN) resolve()
      })
      socket.close(1000)
    },
  }
}

function opened(socket) {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('close', () => reject(new Error(say('dictation.away'))), { once: true })
  })
}

/** The gateway passes sessions on, so that it is this server that is asked. */
function address() {
  const url = new URL('/v1/realtime?model=vaak-realtime&intent=transcription', location.origin)
  url.protocol = url.protocol.replace('http', 'ws')
  return url
}
