import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { z } from 'zod'

import { anEventLog } from '../support/event-log.ts'
import type { EventLog } from '../support/event-log.ts'
import { aServerForClients } from '../support/realtime-clients.ts'
import type { ServerForClients } from '../support/realtime-clients.ts'
import { calls, says } from '../support/realtime-fakes.ts'
import { audioOf } from '../support/realtime-session.ts'

interface Connected {
  readonly session: RealtimeSession
  readonly server: ServerForClients
  /** What came from the server. */
  readonly log: EventLog
  /** What the library itself found wrong. */
  readonly errors: unknown[]
}

type Tools = NonNullable<ConstructorParameters<typeof RealtimeAgent>[0]['tools']>

async function connect(t: ExecutionContext, tools: Tools = [], config: object = {}): Promise<Connected> {
  const server = await aServerForClients(t)
  const agent = new RealtimeAgent({ name: 'Guide', instructions: 'Help with the weather.', tools })
  const session = new RealtimeSession(agent, { transport: 'websocket', tracingDisabled: false, config })
  const log = anEventLog()
  const errors: unknown[] = []
  session.on('transport_event', (event) => log.add(event))
  session.on('error', (error) => void errors.push(error))
  await session.connect({ apiKey: server.apiKey, url: `ws://127.0.0.1:${server.port}/v1/realtime?model=gpt-realtime` })
  t.teardown(() => session.close())
  await log.next('session.updated')
  return { session, server, log, errors }
}

const audioBytes = (ms: number, loud: boolean): ArrayBuffer => {
  const bytes = Buffer.from(audioOf(ms, loud), 'base64')
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
}

const words = (session: RealtimeSession): string[] =>
  session.history.flatMap((item) =>
    item.type === 'message'
      ? item.content.map(
          (part) => `${item.role}: ${'text' in part ? part.text : ('transcript' in part && part.transcript) || ''}`,
        )
      : [`${item.type} ${'status' in item ? item.status : ''}`],
  )

const weatherTool = (asked: string[]) =>
  tool({
    name: 'weather',
    description: 'Tells the weather',
    parameters: z.object({ city: z.string() }),
    async execute({ city }) {
      asked.push(city)
      return 'sunny'
    },
  })

test('agents: a text turn', async (t) => {
  const { session, server, log, errors } = await connect(t, [], { outputModalities: ['text'] })
  server.model.next.push(says('Sunny', ' all day.'))
  session.sendMessage('weather?')
  await log.next('response.done')
  t.deepEqual(words(session), ['user: weather?', 'assistant: Sunny all day.'])
  t.is(server.model.asked[0]!.instructions, 'Help with the weather.')
  t.deepEqual(errors, [])
})

test('agents: an audio turn with its own turn detection, retrieved after it was heard', async (t) => {
  const { session, server, log, errors } = await connect(t)
  server.listener.next.push('what is the weather')
  server.model.next.push(says('It is sunny.'))
  let bytes = 0
  session.on('audio', ({ data }) => void (bytes += data.byteLength))
  session.sendAudio(audioBytes(400, false))
  session.sendAudio(audioBytes(500, true))
  session.sendAudio(audioBytes(1_000, false))
  await log.next('response.done')
  await log.next('conversation.item.retrieved')
  t.deepEqual(words(session), ['user: what is the weather', 'assistant: It is sunny.'])
  t.is(bytes, 3 * 4_800)
  t.deepEqual(errors, [])
})

test('agents: a tool turn', async (t) => {
  const asked: string[] = []
  const { session, server, log, errors } = await connect(t, [weatherTool(asked)])
  server.model.next.push(calls('weather', '{"city":', '"Pune"}'), says('It is sunny.'))
  session.sendMessage('weather in Pune?')
  await log.next('response.done')
  await log.next('response.done')
  t.deepEqual(asked, ['Pune'])
  t.is(server.model.asked[0]!.tools[0]!.name, 'weather')
  t.like(server.model.asked[1]!.turns.at(-1), { kind: 'returned', output: 'sunny' })
  t.deepEqual(words(session), ['user: weather in Pune?', 'function_call completed', 'assistant: It is sunny.'])
  t.deepEqual(errors, [])
})

test('agents: who speaks interrupts, and the library truncates what was not heard', async (t) => {
  const { session, server, log, errors } = await connect(t)
  server.model.next.push(says('One two three four five six seven eight nine ten. '.repeat(20)))
  session.sendMessage('count')
  let interrupted = 0
  session.on('audio_interrupted', () => void (interrupted += 1))
  for (let pieces = 0; pieces < 4; pieces += 1) await log.next('response.output_audio.delta')
  session.sendAudio(audioBytes(300, true))
  t.like(await log.next('response.done'), { response: { status_details: { reason: 'turn_detected' } } })
  const { audio_end_ms, item_id } = await log.next('conversation.item.truncated')
  // of twenty seconds that would have been said
  t.true(audio_end_ms > 0 && audio_end_ms < 20_000)
  t.is((await log.next('conversation.item.retrieved'))['item'].id, item_id)
  t.true(interrupted > 0)
  t.deepEqual(errors, [])
})

test('agents: an interruption by hand cancels the response', async (t) => {
  const { session, server, log, errors } = await connect(t)
  server.model.next.push(says('One two three four five six seven eight nine ten. '.repeat(20)))
  session.sendMessage('count')
  await log.next('response.output_audio.delta')
  session.interrupt()
  t.like(await log.next('response.done'), { response: { status: 'cancelled' } })
  t.deepEqual(errors, [])
  server.model.next.push(says('Here I am.'))
  session.sendMessage('again')
  await log.next('response.done')
  t.is(words(session).at(-1), 'assistant: Here I am.')
})

test('agents: an error reaches the library and its next response runs', async (t) => {
  const { session, server, log, errors } = await connect(t)
  session.transport.sendEvent({ type: 'conversation.item.delete', item_id: 'nobody' })
  await log.next('error')
  t.is(errors.length, 1)
  t.like((errors[0] as { error: { error: object } }).error.error, { code: 'item_delete_invalid_item_id' })
  server.model.next.push(says('Still here.'))
  session.sendMessage('hello?')
  await log.next('response.done')
  t.is(words(session).at(-1), 'assistant: Still here.')
})

test('agents: every event is understood, none is put aside as strange', async (t) => {
  const { session, server, log, errors } = await connect(t, [weatherTool([])])
  const call = calls('weather', '{"city":"Pune"}')
  server.model.next.push([{ kind: 'text', delta: 'Let me see. ' }, ...call], says('It is sunny.'))
  const before = log.events.length
  const understood = new Set<string>()
  const watched = session.transport as unknown as { emit(name: string, ...rest: unknown[]): boolean }
  const emit = watched.emit.bind(session.transport)
  watched.emit = (name, ...rest) => {
    understood.add(name)
    return emit(name, ...rest)
  }
  session.sendAudio(audioBytes(400, false))
  session.sendAudio(audioBytes(500, true))
  session.sendAudio(audioBytes(1_000, false))
  for (let responses = 0; responses < 2; responses += 1) await log.next('rate_limits.updated')
  // the library emits an event under its own name only when it fits the library's schema of it
  const told = new Set(log.events.slice(before).map(({ type }) => type))
  t.deepEqual(
    [...told].filter((type) => !understood.has(type)),
    [],
  )
  t.true(told.size > 20)
  t.deepEqual(errors, [])
})
