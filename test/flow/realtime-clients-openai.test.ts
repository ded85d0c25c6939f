import test from 'ava'
import type { ExecutionContext } from 'ava'
import OpenAI from 'openai'
import { OpenAIRealtimeWS as BetaRealtime } from 'openai/beta/realtime/ws'
import { OpenAIRealtimeWS as Realtime } from 'openai/realtime/ws'

import { anEventLog } from '../support/event-log.ts'
import type { EventLog } from '../support/event-log.ts'
import { aServerForClients } from '../support/realtime-clients.ts'
import type { ServerForClients } from '../support/realtime-clients.ts'
import { calls, says } from '../support/realtime-fakes.ts'
import { audioOf } from '../support/realtime-session.ts'

/** Straight to the realtime server, and at the gateway's address. */
const ways = [
  { through: '', throughGateway: false },
  { through: ' through the gateway', throughGateway: true },
] as const

interface Connected extends EventLog {
  readonly server: ServerForClients
  readonly errors: Error[]
  send(event: object): void
}

/** The library as it is: it insists on TLS, so the server has a certificate of its own. */
async function connect(t: ExecutionContext, dialect: 'ga' | 'beta', throughGateway: boolean): Promise<Connected> {
  const server = await aServerForClients(t, { tls: true, throughGateway })
  const client = new OpenAI({ apiKey: server.apiKey, baseURL: `https://localhost:${server.port}/v1` })
  const trusting = { ca: server.ca }
  const rt =
    dialect === 'ga'
      ? new Realtime({ model: 'gpt-realtime', options: trusting }, client)
      : new BetaRealtime({ model: 'gpt-4o-realtime-preview', options: trusting }, client)
  const log = anEventLog()
  const errors: Error[] = []
  const listen = rt as { on(name: 'event', tell: (event: object) => void): void } & Realtime
  listen.on('event', (event: object) => log.add(event))
  listen.on('error', (error) => void errors.push(error))
  t.teardown(() => rt.close())
  const send = (event: object): void => rt.send(event as never)
  await log.next('session.created')
  return { ...log, server, errors, send }
}

const namesOf = {
  ga: { text: 'response.output_text', audio: 'response.output_audio', update: { type: 'realtime' } },
  beta: { text: 'response.text', audio: 'response.audio', update: {} },
} as const

const asks = {
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'weather?' }] },
}

const combinations = (['ga', 'beta'] as const).flatMap((dialect) => ways.map((way) => ({ dialect, ...way })))
for (const { dialect, through, throughGateway } of combinations) {
  const names = namesOf[dialect]

  test(`openai ${dialect}${through}: a text turn`, async (t) => {
    const rt = await connect(t, dialect, throughGateway)
    const modalities = dialect === 'ga' ? { output_modalities: ['text'] } : { modalities: ['text'] }
    rt.send({ type: 'session.update', session: { ...names.update, ...modalities } })
    await rt.next('session.updated')
    rt.server.model.next.push(says('Sunny', ' all day.'))
    rt.send(asks)
    rt.send({ type: 'response.create' })
    t.is((await rt.next(`${names.text}.done`))['text'], 'Sunny all day.')
    t.is((await rt.next('response.done'))['response'].usage.total_tokens, 17)
    t.deepEqual(rt.errors, [])
  })

  test(`openai ${dialect}${through}: an audio turn with turn detection`, async (t) => {
    const rt = await connect(t, dialect, throughGateway)
    rt.server.listener.next.push('what is the weather')
    for (const audio of [audioOf(400, false), audioOf(500, true), audioOf(800, false)])
      rt.send({ type: 'input_audio_buffer.append', audio })
    await rt.next('input_audio_buffer.speech_started')
    await rt.next('input_audio_buffer.committed')
    const { delta } = await rt.next(`${names.audio}.delta`)
    t.is(Buffer.from(delta, 'base64').length, 4_800)
    t.is((await rt.next('response.done'))['response'].status, 'completed')
    t.like(rt.server.model.asked[0]!.turns[0], { text: 'what is the weather' })
    t.deepEqual(rt.errors, [])
  })

  test(`openai ${dialect}${through}: a tool turn`, async (t) => {
    const rt = await connect(t, dialect, throughGateway)
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const tools = [{ type: 'function', name: 'weather', description: 'Tells the weather', parameters }]
    rt.send({ type: 'session.update', session: { ...names.update, tools } })
    rt.server.model.next.push(calls('weather', '{"city":', '"Pune"}'), says('It is sunny.'))
    rt.send(asks)
    rt.send({ type: 'response.create' })
    const done = await rt.next('response.function_call_arguments.done')
    t.is(done['arguments'], '{"city":"Pune"}')
    await rt.next('response.done')
    const output = { type: 'function_call_output', call_id: done['call_id'], output: 'sunny' }
    rt.send({ type: 'conversation.item.create', item: output })
    rt.send({ type: 'response.create' })
    t.is((await rt.next('response.content_part.done'))['part'].transcript, 'It is sunny.')
    t.like(rt.server.model.asked[1]!.turns.at(-1), { kind: 'returned', output: 'sunny' })
    t.deepEqual(rt.errors, [])
  })

  test(`openai ${dialect}${through}: an interruption`, async (t) => {
    const rt = await connect(t, dialect, throughGateway)
    rt.server.model.next.push(says('One two three four five six seven eight nine ten. '.repeat(20)))
    rt.send(asks)
    rt.send({ type: 'response.create' })
    const { item_id } = await rt.next(`${names.audio}.delta`)
    rt.send({ type: 'input_audio_buffer.append', audio: audioOf(300, true) })
    await rt.next('input_audio_buffer.speech_started')
    t.is((await rt.next('response.done'))['response'].status_details.reason, 'turn_detected')
    rt.send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 100 })
    await rt.next('conversation.item.truncated')
    t.deepEqual(rt.errors, [])
  })

  test(`openai ${dialect}${through}: a cancellation`, async (t) => {
    const rt = await connect(t, dialect, throughGateway)
    rt.server.model.next.push([{ kind: 'text', delta: 'Well. ' }, new Promise(() => undefined)])
    rt.send({ type: 'response.create' })
    await rt.next('response.created')
    rt.send({ type: 'response.cancel' })
    t.is((await rt.next('response.done'))['response'].status, 'cancelled')
    t.deepEqual(rt.errors, [])
  })

  test(`openai ${dialect}${through}: an error reaches the library's own listener, with the event it names`, async (t) => {
    const rt = await connect(t, dialect, throughGateway)
    rt.send({ type: 'session.update', event_id: 'mine', session: { ...names.update, colour: 'red' } })
    await rt.next('error')
    t.is(rt.errors.length, 1)
    t.regex(rt.errors[0]!.message, /Unknown parameter: 'session\.colour'\. code=unknown_parameter .*event_id=mine/)
  })
}

test('openai ga: a transcription session', async (t) => {
  const server = await aServerForClients(t, { tls: true })
  const client = new OpenAI({ apiKey: server.apiKey, baseURL: `https://localhost:${server.port}/v1` })
  const rt = new Realtime({ intent: 'transcription', options: { ca: server.ca } }, client)
  t.teardown(() => rt.close())
  const log = anEventLog()
  rt.on('event', (event) => log.add(event))
  t.is((await log.next('session.created'))['session'].type, 'transcription')
  server.listener.next.push('namaste')
  for (const audio of [audioOf(400, false), audioOf(500, true), audioOf(800, false)])
    rt.send({ type: 'input_audio_buffer.append', audio })
  t.is((await log.next('conversation.item.input_audio_transcription.completed'))['transcript'], 'namaste')
})
