import { openConversation } from './conversation.js'
import { fromBase64, openAudio, toBase64 } from './audio.js'
import { runTool, tools } from './tools.js'

const element = (id) => document.getElementById(id)
const voices = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse', 'marin', 'cedar']
const eventsShown = 200

let conversation
let audio
/** The answer that is being played: which item it is, and how much had been played when it began. */
let playing
const lines = new Map()

element('voice').append(...voices.map((voice) => new Option(voice)))
// the token is behind the #, which browsers do not send to servers; it does not stay in the address either
if (location.hash.length > 1) {
  element('key').value = decodeURIComponent(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault()
  start().catch((error) => {
    say(error.message)
    void stop()
  })
})
element('stop').addEventListener('click', () => void stop())
element('write').addEventListener('submit', (event) => {
  event.preventDefault()
  const text = element('text').value.trim()
  if (text === '' || !conversation) return
  element('text').value = ''
  interrupt()
  const content = [{ type: 'input_text', text }]
  conversation.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  conversation.send({ type: 'response.create' })
})

async function start() {
  running(true)
  say('Connecting…')
  conversation = await openConversation({ key: element('key').value.trim(), session: settings(), handlers })
  say('Waiting for the microphone…')
  audio = await openAudio({
    record: (samples) => conversation?.send({ type: 'input_audio_buffer.append', audio: toBase64(samples) }),
    level: (which, value) => (element(which).value = value),
  })
  say('Listening. Say something.')
}

async function stop() {
  const [open, devices] = [conversation, audio]
  conversation = audio = playing = undefined
  running(false)
  open?.close()
  await devices?.close()
}

function settings() {
  const language = element('language').value
  return {
    type: 'realtime',
    instructions: element('instructions').value,
    tools,
    audio: {
      input: {
        transcription: language ? { language } : {},
        turn_detection: { type: 'server_vad', interrupt_response: true },
      },
      output: { voice: element('voice').value },
    },
  }
}

const handlers = {
  '*': note,
  error: ({ error }) => say(error.message),
  closed(code, reason) {
    if (conversation) say(`The session ended (${code}${reason ? `, ${reason}` : ''}).`)
    void stop()
  },
  'input_audio_buffer.speech_started'() {
    say('Listening…')
    interrupt()
  },
  'input_audio_buffer.speech_stopped': () => say('Thinking…'),
  'conversation.item.added'({ item, previous_item_id: after }) {
    if (item.type !== 'message') return
    const text = item.content.map((part) => part.text ?? part.transcript ?? '').join(' ')
    write(item.id, { role: item.role, text: text || '…', after })
  },
  'conversation.item.input_audio_transcription.completed'({ item_id: id, transcript }) {
    write(id, { role: 'user', text: transcript || '(nothing understood)' })
  },
  'response.output_audio_transcript.delta'({ item_id: id, delta }) {
    write(id, { role: 'assistant', more: delta })
  },
  'response.output_audio.delta'({ item_id: id, content_index: index, delta }) {
    if (!audio) return
    if (playing?.id !== id) playing = { id, index, fromMs: audio.playedMs(), receivedMs: 0 }
    const samples = fromBase64(delta)
    playing.receivedMs += samples.length / 24
    audio.play(samples)
    say('Speaking…')
  },
  'response.done'({ response }) {
    if (response.status !== 'cancelled') return
    for (const { id } of response.output) if (lines.has(id)) write(id, { role: 'assistant', more: ' (interrupted)' })
  },
  'response.output_item.done'({ item }, send) {
    if (item.type !== 'function_call' || item.status !== 'completed') return
    const output = runTool(item.name, JSON.parse(item.arguments || '{}'), element('light'))
    list('calls', `${item.name}(${item.arguments}) → ${JSON.stringify(output)}`)
    const result = { type: 'function_call_output', call_id: item.call_id, output: JSON.stringify(output) }
    send({ type: 'conversation.item.create', item: result })
    send({ type: 'response.create' })
  },
}

/** Silence at once, and tell the server how much was heard: the conversation goes on from there. */
function interrupt() {
  if (!playing || !audio) return
  audio.hush()
  const playedMs = Math.floor(Math.min(audio.playedMs() - playing.fromMs, playing.receivedMs))
  if (playedMs < Math.floor(playing.receivedMs))
    conversation?.send({
      type: 'conversation.item.truncate',
      item_id: playing.id,
      content_index: playing.index,
      audio_end_ms: Math.max(0, playedMs),
    })
  playing = undefined
}

function write(id, { role, text, more = '', after }) {
  let line = lines.get(id)
  if (!line) {
    line = document.createElement('li')
    line.className = role
    const who = document.createElement('b')
    who.textContent = role === 'user' ? 'You' : 'Vaak'
    line.append(who, document.createElement('span'))
    lines.set(id, line)
    const before = lines.get(after)
    if (before) before.after(line)
    else element('transcript').append(line)
  }
  const span = line.lastElementChild
  const known = span.textContent === '…' ? '' : span.textContent
  span.textContent = text ?? known + more
  line.scrollIntoView({ block: 'nearest' })
}

function note({ type, ...event }) {
  if (type === 'response.output_audio.delta') return
  list('events', `${type} ${JSON.stringify(event).slice(0, 300)}`)
}

function list(id, text) {
  const line = document.createElement('li')
  line.textContent = text
  element(id).append(line)
  while (element(id).childElementCount > eventsShown) element(id).firstElementChild.remove()
}

function say(text) {
  element('state').textContent = text
}

function running(is) {
  for (const id of ['start', 'key', 'voice', 'language', 'instructions']) element(id).disabled = is
  for (const id of ['stop', 'text', 'send']) element(id).disabled = !is
  if (!is) for (const id of ['heard', 'spoken']) element(id).value = 0
}
