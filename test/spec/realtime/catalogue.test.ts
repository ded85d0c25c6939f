import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { ClientEvent } from '../../../realtime/wire/client-events.ts'
import type { ServerEvent } from '../../../realtime/wire/server-events.ts'
import type { EventWire } from '../../support/event-log.ts'
import { asksFor, calls, callsApproved, says } from '../../support/realtime-fakes.ts'
import { someRecordings } from '../../support/session-recordings.ts'
import { aSession, append, audioOf, speak, userSays } from '../../support/realtime-session.ts'
import type { TestSession } from '../../support/realtime-session.ts'

type Dialect = 'ga' | 'beta'
const dialects = ['ga', 'beta'] as const

const place = ['response_id', 'item_id', 'output_index']
const part = [...place, 'content_index']
const heardPart = ['item_id', 'content_index']

interface Told {
  /** Besides `type` and `event_id`. */
  readonly fields: readonly string[]
  /** The older name where it is another one; null where the older dialect has no such event. */
  readonly beta?: string | null
  readonly betaFields?: readonly string[]
  /** The newer dialect is not told it. */
  readonly onlyBeta?: true
}

/** Every event that a server tells, with its fields. An event that the code has and this table lacks does not compile. */
const serverEvents: Readonly<Record<ServerEvent['type'], Told>> = {
  error: { fields: ['error'] },
  'session.created': { fields: ['session'] },
  'session.updated': { fields: ['session'] },
  'conversation.created': { fields: ['conversation'], onlyBeta: true },
  'conversation.item.added': { fields: ['previous_item_id', 'item'], beta: 'conversation.item.created' },
  'conversation.item.done': { fields: ['previous_item_id', 'item'], beta: null },
  'conversation.item.retrieved': { fields: ['item'] },
  'conversation.item.truncated': { fields: [...heardPart, 'audio_end_ms'] },
  'conversation.item.deleted': { fields: ['item_id'] },
  'conversation.item.input_audio_transcription.delta': { fields: [...heardPart, 'delta'] },
  'conversation.item.input_audio_transcription.completed': {
    fields: [...heardPart, 'transcript', 'usage', 'languages'],
  },
  'conversation.item.input_audio_transcription.failed': { fields: [...heardPart, 'error'] },
  'input_audio_buffer.committed': { fields: ['previous_item_id', 'item_id'] },
  'input_audio_buffer.cleared': { fields: [] },
  'input_audio_buffer.speech_started': { fields: ['audio_start_ms', 'item_id'] },
  'input_audio_buffer.speech_stopped': { fields: ['audio_end_ms', 'item_id'] },
  'input_audio_buffer.timeout_triggered': { fields: ['audio_start_ms', 'audio_end_ms', 'item_id'] },
  'response.created': { fields: ['response'] },
  'response.output_item.added': { fields: ['response_id', 'output_index', 'item'] },
  'response.output_item.done': { fields: ['response_id', 'output_index', 'item'] },
  'response.content_part.added': { fields: [...part, 'part'] },
  'response.content_part.done': { fields: [...part, 'part'] },
  'response.output_text.delta': { fields: [...part, 'delta'], beta: 'response.text.delta' },
  'response.output_text.done': { fields: [...part, 'text'], beta: 'response.text.done' },
  'response.output_audio.delta': { fields: [...part, 'delta'], beta: 'response.audio.delta' },
  'response.output_audio.done': { fields: part, beta: 'response.audio.done' },
  'response.output_audio_transcript.delta': { fields: [...part, 'delta'], beta: 'response.audio_transcript.delta' },
  'response.output_audio_transcript.done': { fields: [...part, 'transcript'], beta: 'response.audio_transcript.done' },
  'response.function_call_arguments.delta': { fields: [...place, 'call_id', 'delta'] },
  'response.function_call_arguments.done': {
    fields: [...place, 'call_id', 'name', 'arguments'],
    betaFields: [...place, 'call_id', 'arguments'],
  },
  'response.mcp_call.in_progress': { fields: ['item_id', 'output_index'] },
  'response.mcp_call.completed': { fields: ['item_id', 'output_index'] },
  'response.mcp_call.failed': { fields: ['item_id', 'output_index'] },
  'response.done': { fields: ['response'] },
  'output_audio_buffer.cleared': { fields: ['response_id'] },
  'rate_limits.updated': { fields: ['rate_limits'] },
  'vaak.recording.hindered': { fields: ['file_id', 'reason', 'message'] },
  'vaak.recording.stopped': { fields: ['file_id', 'reason', 'message'] },
  'vaak.metrics': {
    fields: ['response_id', 'vad_ms', 'asr_ms', 'llm_ttft_ms', 'tts_ttfb_ms', 'voice_to_voice_ms'],
  },
}

/** The older names of a transcription session's own two events. */
const transcriptionEvents: Readonly<Record<Dialect, readonly string[]>> = {
  ga: ['session.created', 'session.updated'],
  beta: ['transcription_session.created', 'transcription_session.updated'],
}

/** The rest of the catalogue, which no client is told here, and why. */
const neverTold: Readonly<Record<string, string>> = {
  'conversation.item.input_audio_transcription.segment': 'speakers are not told apart in a session',
  'input_audio_buffer.dtmf_event_received': 'there are no telephone calls',
  'response.mcp_call_arguments.delta': 'what is to be called is told whole, by the request to allow it',
  'response.mcp_call_arguments.done': 'what is to be called is told whole, by the request to allow it',
  'mcp_list_tools.in_progress': "the tools of a server are the model's affair",
  'mcp_list_tools.completed': "the tools of a server are the model's affair",
  'mcp_list_tools.failed': "the tools of a server are the model's affair",
  'output_audio_buffer.started': 'only where the server plays the sound itself, which is WebRTC',
  'output_audio_buffer.stopped': 'only where the server plays the sound itself, which is WebRTC',
}

/** GA's union of 46, with the two that only the older dialect is told. */
test('the catalogue is whole: every event is told, or it is said why not', (t) => {
  const newer = Object.keys(serverEvents).filter((type) => !type.startsWith('vaak.'))
  t.is(new Set([...newer, 'conversation.item.created', ...Object.keys(neverTold)]).size, 46)
  t.deepEqual(
    Object.keys(neverTold).filter((type) => type in serverEvents),
    [],
  )
})

for (const dialect of dialects) {
  test(`${dialect}: a session tells every event of the catalogue, each with its fields`, async (t) => {
    const events = await everything(t, dialect)
    const expected = Object.entries(serverEvents).flatMap(([type, told]) => nameIn(dialect, type, told) ?? [])
    t.deepEqual([...new Set(events.map(({ type }) => type))].sort(), expected.sort())
    for (const [type, told] of Object.entries(serverEvents))
      for (const event of events.filter((one) => one.type === nameIn(dialect, type, told)))
        t.deepEqual(fieldsOf(event), fieldsIn(dialect, told), event.type)
  })

  test(`${dialect}: a transcription session begins and changes under its own names`, (t) => {
    const session = aSession(t, { dialect, kind: 'transcription' })
    session.send({ type: 'transcription_session.update', session: { input_audio_transcription: { language: 'hi' } } })
    t.deepEqual(session.types(), transcriptionEvents[dialect])
    for (const event of session.events) t.deepEqual(fieldsOf(event), ['session'])
  })
}

function nameIn(dialect: Dialect, type: string, { beta, onlyBeta }: Told): string | undefined {
  if (dialect === 'ga') return onlyBeta ? undefined : type
  return beta === null ? undefined : (beta ?? type)
}

function fieldsIn(dialect: Dialect, { fields, betaFields }: Told): string[] {
  return [...((dialect === 'beta' ? betaFields : undefined) ?? fields)].sort()
}

function fieldsOf(event: EventWire): string[] {
  return Object.keys(event)
    .filter((name) => name !== 'type' && name !== 'event_id')
    .sort()
}

/** A conversation in which everything happens once. */
async function everything(t: ExecutionContext, dialect: Dialect): Promise<readonly EventWire[]> {
  const recordings = someRecordings()
  const session = aSession(t, { dialect, recordings })
  session.send(settings(dialect, { transcription: {}, include: ['vaak.metrics'], vaak: { keep: true } }))
  recordings.opened[0]!.hindered({ reason: 'quota', message: 'full' })
  recordings.opened[0]!.stopped('limit')
  await aSpokenTurn(session)
  await aTextTurnAndACall(session, dialect)
  await itemsComeAndGo(session)
  for (const output of ['sunny', 'Error: out of order']) await aToolServersCall(session, output)

  session.listener.next.push(new Error('deaf'))
  speak(session)
  await session.next('conversation.item.input_audio_transcription.failed')
  await session.next('rate_limits.updated')
  session.send({ type: 'output_audio_buffer.clear' })
  session.send({ type: 'input_audio_buffer.clear' })
  session.send({ type: 'nonsense' })

  session.send(settings(dialect, { turns: { type: 'server_vad', idle_timeout_ms: 100 } }))
  session.send({ type: 'response.create' })
  await session.next('input_audio_buffer.timeout_triggered')
  session.running.end()
  return session.events
}

async function aSpokenTurn(session: TestSession): Promise<void> {
  speak(session)
  await session.next('rate_limits.updated')
}

async function aTextTurnAndACall(session: TestSession, dialect: Dialect): Promise<void> {
  session.model.next.push(says('Hello.'), calls('weather', '{}'))
  const response = dialect === 'ga' ? { output_modalities: ['text'] } : { modalities: ['text'] }
  session.send({ type: 'response.create', response })
  await session.next('rate_limits.updated')
  session.send({ type: 'response.create' })
  await session.next('rate_limits.updated')
}

async function aToolServersCall(session: TestSession, output: string): Promise<void> {
  session.model.next.push(asksFor('sky', 'get_weather'), callsApproved(output, 'Now you know.'))
  session.send({ type: 'response.create' })
  const { item } = await session.next('response.output_item.done')
  await session.next('rate_limits.updated')
  const allowed = { type: 'mcp_approval_response', approval_request_id: item.id, approve: true }
  session.send({ type: 'conversation.item.create', item: allowed })
  await session.next('rate_limits.updated')
}

async function itemsComeAndGo(session: TestSession): Promise<void> {
  session.send(userSays('hello', 'mine'))
  session.send({ type: 'response.create' })
  const { item } = await session.next('response.output_item.done')
  await session.next('rate_limits.updated')
  session.send({ type: 'conversation.item.truncate', item_id: item.id, content_index: 0, audio_end_ms: 10 })
  session.send({ type: 'conversation.item.retrieve', item_id: 'mine' })
  session.send({ type: 'conversation.item.delete', item_id: 'mine' })
}

/** A change of settings, as each dialect writes it. */
function settings(
  dialect: Dialect,
  given: { transcription?: object; turns?: object; include?: readonly string[]; vaak?: object },
): object {
  const { transcription, turns, ...ours } = given
  const session =
    dialect === 'ga'
      ? { type: 'realtime', audio: { input: { transcription, turn_detection: turns } }, ...ours }
      : { input_audio_transcription: transcription, turn_detection: turns, ...ours }
  return { type: 'session.update', session }
}

interface Sent {
  /** What comes before it, so that it can be handled. */
  readonly before?: (session: TestSession) => void
  readonly event: object
  /** The first that it is answered with; null where nothing answers. */
  readonly answered: Readonly<Record<Dialect, string | null>> | string
  readonly kind?: 'transcription'
}

/** Every event that a client sends. One that the code understands and this table lacks does not compile. */
const clientEvents: Readonly<Record<ClientEvent['type'], Sent>> = {
  'session.update': { event: { session: { type: 'realtime', instructions: 'x' } }, answered: 'session.updated' },
  'transcription_session.update': {
    event: { session: { input_audio_format: 'g711_ulaw' } },
    answered: { ga: 'session.updated', beta: 'transcription_session.updated' },
    kind: 'transcription',
  },
  'input_audio_buffer.append': { event: { audio: audioOf(100, false) }, answered: { ga: null, beta: null } },
  'input_audio_buffer.commit': {
    before: (session) => append(session, 200, false),
    event: {},
    answered: 'input_audio_buffer.committed',
  },
  'input_audio_buffer.clear': { event: {}, answered: 'input_audio_buffer.cleared' },
  'conversation.item.create': {
    event: userSays('hello'),
    answered: { ga: 'conversation.item.added', beta: 'conversation.item.created' },
  },
  'conversation.item.retrieve': {
    before: (session) => session.send(userSays('hello', 'mine')),
    event: { item_id: 'mine' },
    answered: 'conversation.item.retrieved',
  },
  'conversation.item.truncate': {
    before(session) {
      const content = [{ type: 'output_audio', transcript: 'Hello.' }]
      const item = { id: 'spoken', type: 'message', role: 'assistant', content }
      session.send({ type: 'conversation.item.create', item })
    },
    event: { item_id: 'spoken', content_index: 0, audio_end_ms: 0 },
    answered: 'conversation.item.truncated',
  },
  'conversation.item.delete': {
    before: (session) => session.send(userSays('hello', 'mine')),
    event: { item_id: 'mine' },
    answered: 'conversation.item.deleted',
  },
  'response.create': { event: {}, answered: 'response.created' },
  'response.cancel': {
    before(session) {
      session.model.next.push([new Promise(() => undefined)])
      session.send({ type: 'response.create' })
    },
    event: {},
    answered: 'response.done',
  },
  'output_audio_buffer.clear': { event: {}, answered: 'output_audio_buffer.cleared' },
}

for (const dialect of dialects)
  for (const [type, { before, event, answered, kind }] of Object.entries(clientEvents))
    test(`${dialect}: ${type} is handled`, (t) => {
      const session = aSession(t, { dialect, ...(kind && { kind }) })
      before?.(session)
      const told = session.events.length
      session.send({ ...event, type })
      t.is(session.events[told]?.type ?? null, typeof answered === 'string' ? answered : answered[dialect])
      t.deepEqual(session.only('error'), [])
    })
