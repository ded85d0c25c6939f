import test from 'ava'
import type { ExecutionContext } from 'ava'
import { RealtimeClient } from 'openai-realtime-api'

import { anEventLog } from '../support/event-log.ts'
import type { EventLog } from '../support/event-log.ts'
import { aServerForClients } from '../support/realtime-clients.ts'
import type { ServerForClients } from '../support/realtime-clients.ts'
import { calls, says } from '../support/realtime-fakes.ts'
import { audioOf } from '../support/realtime-session.ts'

interface Connected {
  readonly client: RealtimeClient
  readonly server: ServerForClients
  /** What came from the server. */
  readonly log: EventLog
}

async function connect(t: ExecutionContext, sessionConfig: object = {}): Promise<Connected> {
  const server = await aServerForClients(t)
  const url = `ws://127.0.0.1:${server.port}/v1/realtime`
  const client = new RealtimeClient({ url, apiKey: server.apiKey, sessionConfig })
  const log = anEventLog()
  client.on('realtime.event', (told) => {
    const { source, event } = told as unknown as { source: string; event: object }
    if (source === 'server') log.add(event)
  })
  await client.connect()
  t.teardown(() => client.disconnect())
  await log.next('session.updated')
  return { client, server, log }
}

const audioBytes = (ms: number, loud: boolean): ArrayBuffer => {
  const bytes = Buffer.from(audioOf(ms, loud), 'base64')
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
}

test('reference client: a text turn', async (t) => {
  const { client, server, log } = await connect(t, { modalities: ['text'] })
  server.model.next.push(says('Sunny', ' all day.'))
  client.sendUserMessageContent([{ type: 'input_text', text: 'weather?' }])
  await log.next('response.done')
  const [asked, said] = client.conversation.getItems()
  t.is(asked!.formatted.text, 'weather?')
  t.like(said, { role: 'assistant', status: 'completed' })
  t.is(said!.formatted.text, 'Sunny all day.')
})

test('reference client: an audio turn by hand', async (t) => {
  const { client, server, log } = await connect(t)
  server.listener.next.push('what is the weather')
  server.model.next.push(says('It is sunny.'))
  client.appendInputAudio(audioBytes(500, true))
  client.createResponse()
  await log.next('response.done')
  const [heard, said] = client.conversation.getItems()
  t.is(heard!.formatted.transcript, 'what is the weather')
  t.is(heard!.formatted.audio.length, 12_000)
  t.is(said!.formatted.transcript, 'It is sunny.')
  t.is(said!.formatted.audio.length, 3 * 2_400)
})

test('reference client: an audio turn with turn detection, cut from its own buffer by our times', async (t) => {
  const { client, log } = await connect(t, { turn_detection: { type: 'server_vad' } })
  client.appendInputAudio(audioBytes(400, false))
  client.appendInputAudio(audioBytes(500, true))
  client.appendInputAudio(audioBytes(800, false))
  await log.next('response.done')
  const [heard] = client.conversation.getItems()
  t.is(heard!.formatted.transcript, 'hello there')
  const seconds = heard!.formatted.audio.length / 24_000
  t.true(Math.abs(seconds - 1.3) < 0.08, `${seconds}`)
})

test('reference client: a tool turn', async (t) => {
  const { client, server, log } = await connect(t)
  const asked: unknown[] = []
  client.addTool(
    { name: 'weather', description: 'Tells the weather', parameters: { type: 'object', properties: { city: {} } } },
    async (args: unknown) => {
      asked.push(args)
      return { sky: 'sunny' }
    },
  )
  server.model.next.push(calls('weather', '{"city":', '"Pune"}'), says('It is sunny.'))
  client.sendUserMessageContent([{ type: 'input_text', text: 'weather in Pune?' }])
  await log.next('response.done')
  await log.next('response.done')
  t.deepEqual(asked, [{ city: 'Pune' }])
  t.like(server.model.asked[1]!.turns.at(-1), { kind: 'returned', output: '{"sky":"sunny"}' })
  t.is(client.conversation.getItems().at(-1)!.formatted.transcript, 'It is sunny.')
  t.deepEqual(log.only('error'), [])
})

test('reference client: an interruption and a cancellation at what was heard', async (t) => {
  const { client, server, log } = await connect(t, { turn_detection: { type: 'server_vad' } })
  server.model.next.push(says('One two three four five six seven eight nine ten. '.repeat(20)))
  client.sendUserMessageContent([{ type: 'input_text', text: 'count' }])
  const { item_id } = await log.next('response.audio.delta')
  const interrupted = client.waitForNext('conversation.interrupted')
  client.appendInputAudio(audioBytes(300, true))
  await interrupted
  client.cancelResponse(item_id, 2_400) // 100 ms of it
  t.like(await log.next('response.done'), { response: { status_details: { reason: 'turn_detected' } } })
  t.like(await log.next('conversation.item.truncated'), { item_id, audio_end_ms: 100 })
  const item = client.conversation.getItem(item_id)!
  t.is(item.formatted.audio.length, 2_400)
  t.is(item.formatted.transcript, '')
  t.deepEqual(
    log.only('error').map(({ error }) => error.code),
    ['response_cancel_not_active'],
  )
})

test('reference client: a cancellation', async (t) => {
  const { client, server, log } = await connect(t)
  server.model.next.push(says('One two three four five six seven eight nine ten. '.repeat(20)))
  client.sendUserMessageContent([{ type: 'input_text', text: 'count' }])
  const { item_id } = await log.next('response.audio.delta')
  client.cancelResponse(item_id, 2_400)
  t.like(await log.next('response.done'), { response: { status_details: { reason: 'client_cancelled' } } })
  await log.next('conversation.item.truncated')
  t.deepEqual(log.only('error'), [])
})

test('reference client: an error, and the conversation goes on', async (t) => {
  const { client, server, log } = await connect(t)
  client.deleteItem('nobody')
  t.like(await log.next('error'), { error: { code: 'item_delete_invalid_item_id', param: 'item_id' } })
  server.model.next.push(says('Still here.'))
  client.sendUserMessageContent([{ type: 'input_text', text: 'hello?' }])
  await log.next('response.done')
  t.is(client.conversation.getItems().at(-1)!.formatted.transcript, 'Still here.')
})
