import test from 'ava'
import type { ExecutionContext } from 'ava'
import { RTClient } from 'rt-client'

import { aServerForClients } from '../support/realtime-clients.ts'
import type { ServerForClients } from '../support/realtime-clients.ts'
import { calls, says } from '../support/realtime-fakes.ts'
import { audioOf } from '../support/realtime-session.ts'

/** Microsoft's own client, as its users configure it for Azure, at the address of a gateway. */
async function connect(t: ExecutionContext): Promise<{ client: RTClient; server: ServerForClients }> {
  const server = await aServerForClients(t, { throughGateway: true })
  const client = new RTClient(new URL(`ws://127.0.0.1:${server.port}`), { key: server.apiKey }, { deployment: 'voice' })
  t.teardown(() => client.close())
  await client.init()
  return { client, server }
}

const asks = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'weather?' }] } as const

test('rt-client: a text turn', async (t) => {
  const { client, server } = await connect(t)
  await client.configure({ modalities: ['text'], turn_detection: null })
  server.model.next.push(says('Sunny', ' all day.'))
  await client.sendItem({ ...asks, content: [...asks.content] })
  const response = await client.generateResponse()
  const said: string[] = []
  for await (const item of response!)
    if (item.type === 'message')
      for await (const content of item)
        if (content.type === 'text') for await (const text of content.textChunks()) said.push(text)
  t.is(said.join(''), 'Sunny all day.')
  t.is(response!.status, 'completed')
})

test('rt-client: a spoken turn with turn detection', async (t) => {
  const { client, server } = await connect(t)
  await client.configure({ input_audio_transcription: { model: 'whisper-1' }, turn_detection: { type: 'server_vad' } })
  server.listener.next.push('what is the weather')
  for (const audio of [audioOf(400, false), audioOf(500, true), audioOf(800, false)])
    await client.sendAudio(Buffer.from(audio, 'base64'))
  for await (const event of client.events()) {
    if (event.type === 'input_audio') {
      await event.waitForCompletion()
      t.is(event.transcription, 'what is the weather')
      continue
    }
    let bytes = 0
    for await (const item of event)
      if (item.type === 'message')
        for await (const content of item)
          if (content.type === 'audio') for await (const chunk of content.audioChunks()) bytes += chunk.length
    t.true(bytes > 0)
    t.is(event.status, 'completed')
    break
  }
})

test('rt-client: a tool turn', async (t) => {
  const { client, server } = await connect(t)
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  await client.configure({ tools: [{ type: 'function', name: 'weather', parameters }], turn_detection: null })
  server.model.next.push(calls('weather', '{"city":', '"Pune"}'))
  await client.sendItem({ ...asks, content: [...asks.content] })
  const response = await client.generateResponse()
  for await (const item of response!)
    if (item.type === 'function_call') {
      await item.waitForCompletion()
      t.is(item.functionName, 'weather')
      t.is(item.arguments, '{"city":"Pune"}')
    }
  t.is(response!.status, 'completed')
  t.plan(3)
})
