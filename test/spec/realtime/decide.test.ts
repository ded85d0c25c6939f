import test from 'ava'

import { defaultSettings, withPatch } from '../../../realtime/session/settings/settings.ts'
import {
  aClause,
  aClip,
  aMessage,
  DecidedSession,
  responseCompleted,
  responseWanted,
  turnCommitted,
  turnStarts,
  turnStops,
} from '../../support/decided-session.ts'

const settings = defaultSettings('asha')
const transcribed = { transcription: {} }
const turnDetection = (changed: object) => withPatch(settings, { turnDetection: { type: 'server_vad', ...changed } })
const anAnswer = (responseId: string) =>
  [
    { type: 'MessageBegan', responseId, itemId: `${responseId}_item`, kind: 'audio' },
    { type: 'ClauseSpoken', responseId, clause: aClause('Hello.') },
    { type: 'AudioSent', responseId, base64: 'AAAA', ms: 400 },
  ] as const

test('a turn that ends is committed under the id it began with, transcribed and answered', (t) => {
  const session = new DecidedSession({ settings: transcribed })
  session.tell(turnStarts('turn'))
  const effects = session.tell(turnStops('another'))
  t.deepEqual(session.types(effects), [
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'KeepAudio',
    'Transcribe',
    'Measure',
    'PlanResponse',
    'response.created',
    'StartAnswer',
  ])
  t.is(session.state.turnItemId, undefined)
  t.deepEqual(
    session.state.conversation.items.map(({ id }) => id),
    ['turn'],
  )
})

test('a turn that the client commits is not answered, and leaves the input', (t) => {
  const session = new DecidedSession()
  const effects = session.tell(turnCommitted('turn'))
  t.deepEqual(session.types(effects), [
    'DropInput',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'KeepAudio',
  ])
})

test('a commit that there is no room to transcribe is refused, and its audio stays', (t) => {
  const session = new DecidedSession({ settings: transcribed, limits: { transcriptions: 1 } })
  session.tell(turnCommitted('first'))
  const effects = session.tell(turnCommitted('second'))
  t.deepEqual(session.types(effects), ['error'])
  t.like(session.sent(effects)[0], { refusal: { code: 'rate_limit_exceeded' }, causedBy: 'mine' })
})

test('what nobody asks about is transcribed when a response first needs it', (t) => {
  const session = new DecidedSession()
  session.tell(turnCommitted('turn'))
  t.is(session.state.untranscribed.length, 1)
  const effects = session.tell(responseWanted())
  t.deepEqual(session.types(effects), ['PlanResponse', 'response.created', 'Transcribe', 'StartAnswer'])
  t.deepEqual(session.state.untranscribed, [])
})

test('who speaks ends the answer at what was played of it', (t) => {
  const session = new DecidedSession()
  session.tell(responseWanted(), ...anAnswer('resp_1'))
  session.nowMs += 150
  const effects = session.tell(turnStarts('turn'))
  t.deepEqual(session.types(effects), [
    'input_audio_buffer.speech_started',
    'Follow',
    'StopAnswer',
    'StopPlaying',
    'response.output_audio.done',
    'response.output_audio_transcript.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.done',
    'rate_limits.updated',
  ])
  const [item] = session.state.conversation.items
  t.like(item, { status: 'incomplete', parts: [{ spoken: { sentMs: 400, playedMs: 150 } }] })
})

test('who may not interrupt leaves the answer as it is', (t) => {
  const session = new DecidedSession({ settings: turnDetection({ interruptResponse: false }) })
  session.tell(responseWanted(), ...anAnswer('resp_1'))
  t.deepEqual(session.types(session.tell(turnStarts('turn'))), ['input_audio_buffer.speech_started', 'Follow'])
  t.is(session.state.responses.length, 1)
})

test('what comes of a response after its end is not told', (t) => {
  const session = new DecidedSession()
  session.tell(responseWanted(), { type: 'CancelResponse', responseId: undefined, causedBy: null })
  t.deepEqual(session.tell(...anAnswer('resp_1'), responseCompleted('resp_1')), [])
})

test('a second response in the conversation is refused while one beside it is not', (t) => {
  const session = new DecidedSession()
  session.tell(responseWanted())
  const refused = session.sent(session.tell(responseWanted()))
  t.like(refused[0], { refusal: { code: 'conversation_already_has_active_response' }, causedBy: 'mine' })
  t.is(session.sent(session.tell(responseWanted('none')))[0]?.type, 'response.created')
})

test('an answer beside the conversation leaves it and its audio alone', (t) => {
  const session = new DecidedSession()
  session.tell(responseWanted('none'))
  const types = session.types(session.tell(...anAnswer('resp_1'), responseCompleted('resp_1')))
  t.false(types.some((type) => type.startsWith('conversation.') || type === 'KeepAudio'))
  t.deepEqual(session.state.conversation.items, [])
})

test('a call without arguments is told with empty ones before it ends', (t) => {
  const session = new DecidedSession()
  session.tell(responseWanted(), {
    type: 'CallBegan',
    responseId: 'resp_1',
    itemId: 'call',
    callId: 'c',
    name: 'weather',
  })
  const [delta, done] = session.sent(session.tell(responseCompleted('resp_1')))
  t.like(delta, { type: 'response.function_call_arguments.delta', fields: { delta: '{}' } })
  t.like(done, { type: 'response.function_call_arguments.done', fields: { arguments: '{}' } })
})

test('after an answer the session waits for a voice as long as the answer plays and then some', (t) => {
  const session = new DecidedSession({ settings: turnDetection({ idleTimeoutMs: 1_000 }) })
  session.tell(responseWanted(), ...anAnswer('resp_1'))
  const effects = session.tell(responseCompleted('resp_1'))
  t.deepEqual(effects.at(-1), { type: 'AwaitVoice', ms: 1_400 })
})

test('silence for long enough is a turn without words, and is answered', (t) => {
  const session = new DecidedSession({ settings: turnDetection({ idleTimeoutMs: 1_000 }) })
  session.tell(responseWanted(), responseCompleted('resp_1'))
  const effects = session.tell({ type: 'VoiceTimedOut', itemId: 'silence', startMs: 0, endMs: 900 })
  t.deepEqual(session.types(effects).slice(0, 3), [
    'EmptyInput',
    'input_audio_buffer.timeout_triggered',
    'input_audio_buffer.committed',
  ])
  t.true(session.types(effects).includes('StartAnswer'))
})

test('a wait that was ended is not over when its time comes', (t) => {
  const session = new DecidedSession({ settings: turnDetection({ idleTimeoutMs: 1_000 }) })
  session.tell(responseWanted(), responseCompleted('resp_1'), turnStarts('turn'))
  t.deepEqual(session.tell({ type: 'VoiceTimedOut', itemId: 'silence', startMs: 0, endMs: 900 }), [])
})

test('nobody is waited for who is speaking: an answer that was interrupted starts no wait', (t) => {
  const session = new DecidedSession({ settings: turnDetection({ idleTimeoutMs: 1_000, interruptResponse: false }) })
  session.tell(responseWanted(), ...anAnswer('resp_1'), turnStarts('turn'))
  const effects = session.tell(responseCompleted('resp_1'))
  t.false(session.types(effects).includes('AwaitVoice'))
})

test('a session that drains ends when its last transcription is stopped', (t) => {
  const session = new DecidedSession({ settings: transcribed })
  session.tell({ ...aMessage('item'), clips: [{ contentIndex: 0, audio: aClip(100) }] })
  session.tell({ type: 'Drain' }, { type: 'DeleteItem', itemId: 'item', causedBy: null })
  const effects = session.tell({ type: 'TranscriptionStopped', jobId: 0 })
  t.like(effects.at(-1), { type: 'Close', code: 1012 })
})

test('an item that leaves takes its audio and its transcription with it', (t) => {
  const session = new DecidedSession({ settings: transcribed })
  session.tell({ ...aMessage('item'), clips: [{ contentIndex: 0, audio: aClip(100) }] })
  const effects = session.tell({ type: 'DeleteItem', itemId: 'item', causedBy: null })
  t.deepEqual(session.types(effects), ['StopTranscription', 'ForgetAudio', 'conversation.item.deleted'])
})

test('when there are too many items the oldest leave, and it is told before the new one', (t) => {
  const session = new DecidedSession({ limits: { items: 2 } })
  session.tell(aMessage('a'), aMessage('b'))
  const effects = session.tell(aMessage('c'))
  t.deepEqual(session.types(effects), [
    'ForgetAudio',
    'conversation.item.deleted',
    'conversation.item.added',
    'conversation.item.done',
  ])
})

test('a session that is drained closes when the last of what is under way has ended', (t) => {
  const session = new DecidedSession({ settings: transcribed })
  session.tell(turnCommitted('turn'), responseWanted())
  t.deepEqual(session.tell({ type: 'Drain' }), [])
  session.tell(responseCompleted('resp_1'))
  t.is(session.state.phase, 'draining')
  const turn = { text: 'hello', languages: ['en'], seconds: 1 }
  const effects = session.tell({ type: 'TurnTranscribed', jobId: 0, turn, tookMs: 5 })
  t.deepEqual(effects.at(-1), { type: 'Close', code: 1012, reason: 'Service restart', isKept: true })
})

test('settings without turn detection give up the turn that somebody is speaking', (t) => {
  const session = new DecidedSession()
  session.tell(turnStarts('turn'), { type: 'UpdateSettings', settings: { ...settings, turnDetection: null } })
  t.is(session.state.turnItemId, undefined)
})
