import { openConversation } from './conversation.js'
import { openAudio } from './audio.js'
import { fromBase64, toBase64 } from './base64.js'
import { element } from './element.js'
import { chooseLanguage } from './interface-language.js'
import { openFrame } from './language-switch.js'
import { openLatency } from './latency.js'
import { openRecording } from './recording.js'
import { say } from './say.js'
import { openState } from './state.js'
import { keepToken, keptToken, takeTokenFromAddress } from './token.js'
import { runTool, tools } from './tools.js'
import { openTranscript } from './transcript.js'
import { openChoices } from './voices.js'

const byId = (id) => document.getElementById(id)
const eventsShown = 200

let conversation
let audio
/** The answer that is being played: which item it is, and how much had been played when it began. */
let playing

// the console sends people here in the language that they read there
const asked = new URLSearchParams(location.search).get('language')
if (asked !== null) chooseLanguage(asked)
takeTokenFromAddress()
byId('key').value = keptToken()
const state = openState((words) => (byId('state').textContent = words))
const transcript = openTranscript(byId('transcript'))
const latency = openLatency(byId('latency'))
const recording = openRecording(byId('recording'))
const choices = openChoices({ voice: byId('voice'), language: byId('language') })
openFrame(() => {
  for (const part of [state, latency, choices, recording]) part.again()
  nameTab()
})
nameTab()

byId('form').addEventListener('submit', (event) => {
  event.preventDefault()
  start().catch((error) => {
    complain(error.message)
    void stop(() => say('talk.stateNone'))
  })
})
byId('stop').addEventListener('click', () => void stop(() => say('talk.stateStopped')))
byId('write').addEventListener('submit', (event) => {
  event.preventDefault()
  const text = byId('text').value.trim()
  if (text === '' || !conversation) return
  byId('text').value = ''
  interrupt()
  const content = [{ type: 'input_text', text }]
  conversation.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  conversation.send({ type: 'response.create' })
})

async function start() {
  const key = byId('key').value.trim()
  keepToken(key)
  running(true)
  complain('')
  recording.begin()
  state.know({ isConnected: false })
  const opened = await openConversation({ key, session: settings(), handlers })
  conversation = opened
  const devices = await openAudio({
    record: (samples) => conversation?.send({ type: 'input_audio_buffer.append', audio: toBase64(samples) }),
    level: (which, value) => (byId(which).value = value),
    playing: (isPlaying) => conversation && state.know({ isPlaying }),
  })
  // who pressed Stop while the browser asked for the microphone does not want it any more
  if (conversation !== opened) return devices.close()
  audio = devices
  state.know({ hasDevices: true })
}

/** `last` says how it ended. */
async function stop(last) {
  const [open, devices] = [conversation, audio]
  conversation = audio = playing = undefined
  running(false)
  state.end(last)
  recording.end()
  open?.close()
  await devices?.close()
}

function settings() {
  const language = byId('language').value
  return {
    type: 'realtime',
    instructions: byId('instructions').value,
    tools,
    include: ['vaak.metrics'],
    vaak: { keep: byId('keep').checked },
    audio: {
      input: {
        transcription: language ? { language } : {},
        turn_detection: { type: 'server_vad', interrupt_response: true },
      },
      output: { voice: byId('voice').value || 'alloy' },
    },
  }
}

const handlers = {
  '*': note,
  error: ({ error }) => complain(error.message),
  'session.created'({ session }) {
    complain('')
    recording.know(session.vaak)
    state.know({ isConnected: true })
  },
  'session.updated': ({ session }) => recording.know(session.vaak),
  'vaak.recording.stopped': ({ message }) => complain(message),
  cutOff() {
    playing = undefined
    audio?.hush()
    state.know({ isConnected: false, isHearing: false, isAnswering: false })
  },
  closed(code, reason) {
    const why = reason ? `${code}, ${reason}` : String(code)
    if (conversation) void stop(() => say('talk.stateEnded', { reason: why }))
  },
  'input_audio_buffer.speech_started'() {
    state.know({ isHearing: true })
    interrupt()
  },
  'input_audio_buffer.speech_stopped': () => state.know({ isHearing: false, isAnswering: true }),
  'conversation.item.added'({ item, previous_item_id: after }) {
    if (item.type !== 'message') return
    const text = item.content.map((part) => part.text ?? part.transcript ?? '').join(' ')
    if (text !== '' || !transcript.has(item.id))
      transcript.write(item.id, { role: item.role, text: text || '…', after })
  },
  'conversation.item.input_audio_transcription.delta'({ item_id: id, delta }) {
    transcript.write(id, { role: 'user', more: delta, isLive: true })
  },
  'conversation.item.input_audio_transcription.completed'({ item_id: id, transcript: text }) {
    transcript.write(id, { role: 'user', text: text || say('talk.notUnderstood') })
  },
  'conversation.item.input_audio_transcription.failed'({ item_id: id, error }) {
    transcript.write(id, { role: 'user', text: say('talk.failedToHear') })
    complain(error.message)
  },
  'response.created': () => state.know({ isAnswering: true }),
  'response.output_audio_transcript.delta'({ item_id: id, delta }) {
    transcript.write(id, { role: 'assistant', more: delta })
  },
  'response.output_audio.delta'({ item_id: id, content_index: index, delta }) {
    if (!audio) return
    if (playing?.id !== id) playing = { id, index, fromMs: audio.playedMs(), receivedMs: 0 }
    const samples = fromBase64(delta)
    playing.receivedMs += samples.length / 24
    audio.play(samples)
  },
  'response.done'({ response }) {
    state.know({ isAnswering: false })
    if (response.status === 'failed') complain(response.status_details?.error?.message ?? say('talk.answerFailed'))
    if (response.status !== 'cancelled') return
    for (const { id } of response.output)
      if (transcript.has(id)) transcript.write(id, { role: 'assistant', more: ` ${say('talk.interrupted')}` })
  },
  'response.output_item.done'({ item }, send) {
    if (item.type !== 'function_call' || item.status !== 'completed') return
    const output = runTool(item.name, JSON.parse(item.arguments || '{}'), byId('light'))
    list('calls', `${item.name}(${item.arguments}) → ${JSON.stringify(output)}`)
    const result = { type: 'function_call_output', call_id: item.call_id, output: JSON.stringify(output) }
    send({ type: 'conversation.item.create', item: result })
    send({ type: 'response.create' })
  },
  'vaak.metrics': (metrics) => latency.add(metrics),
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

function note({ type, ...event }) {
  if (type === 'response.output_audio.delta') return
  list('events', `${type} ${JSON.stringify(event).slice(0, 300)}`)
}

function list(id, text) {
  byId(id).append(element('li', {}, text))
  while (byId(id).childElementCount > eventsShown) byId(id).firstElementChild.remove()
}

function nameTab() {
  document.title = say('talk.title')
}

/** What went wrong stays in view while the conversation goes on. */
function complain(text) {
  byId('trouble').textContent = text
}

function running(is) {
  for (const id of ['start', 'key', 'voice', 'language', 'instructions', 'keep']) byId(id).disabled = is
  for (const id of ['stop', 'text', 'send']) byId(id).disabled = !is
  if (!is) for (const id of ['heard', 'spoken']) byId(id).value = 0
}
