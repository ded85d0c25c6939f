import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import { becomes } from '../../support/becomes.ts'
import { aBrowser } from '../../support/browser.ts'
import { testWithBrowser } from '../../support/chromium.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aServerForClients } from '../../support/realtime-clients.ts'
import type { ServerForClients } from '../../support/realtime-clients.ts'
import { calls, says } from '../../support/realtime-fakes.ts'
import { aMicrophone } from '../../support/talking-page.ts'

const inBrowser = await testWithBrowser()
const library = join(
  fileURLToPath(import.meta.resolve('@openai/agents-realtime')),
  '../bundle/openai-realtime-agents.umd.js',
)

interface Seen {
  readonly types: readonly string[]
  readonly errors: readonly string[]
  readonly words: readonly string[]
  readonly cities: readonly string[]
  readonly callId: string
  readonly state: string
}

interface TalkingWindow {
  seen(): Seen
  packets(): Promise<number>
  close(): void
}

inBrowser('@openai/agents-realtime in Chromium talks over WebRTC: a tool, an answer, an interruption', async (t) => {
  t.timeout(240_000)
  const server = await aServerForClients(t)
  server.listener.next.push('weather in Pune')
  const long = says('One two three four five six seven eight nine ten. '.repeat(400))
  server.model.next.push(calls('weather', '{"city":"Pune"}'), long)
  const page = await aPageOf(t, server)
  await page.evaluate(connect, { url: `http://127.0.0.1:${server.port}/v1/realtime/calls`, key: server.apiKey })
  const seen = (): Promise<Seen> => page.evaluate(() => (globalThis as unknown as { talk: TalkingWindow }).talk.seen())
  t.regex((await seen()).callId, /^rtc_/)
  await eventually('the answer is played', async () => {
    const heard = await page.evaluate(() => (globalThis as unknown as { talk: TalkingWindow }).talk.packets())
    return heard > 20
  })
  await eventually('whoever speaks interrupts it', async () =>
    (await seen()).types.includes('output_audio_buffer.cleared'),
  )
  const { cities, words, errors, types } = await seen()
  t.deepEqual(cities, ['Pune'])
  t.true(words.includes('user: weather in Pune'), words.join('\n'))
  t.deepEqual(errors, [])
  t.false(types.includes('response.output_audio.delta'))
})

inBrowser('a page in Chromium that hangs up leaves nothing behind, and one that is hung up on knows', async (t) => {
  t.timeout(240_000)
  const server = await aServerForClients(t)
  const [mine, theirs] = [await aPageOf(t, server), await aPageOf(t, server)]
  const url = `http://127.0.0.1:${server.port}/v1/realtime/calls`
  for (const page of [mine, theirs]) await page.evaluate(connect, { url, key: server.apiKey })
  await mine.evaluate(() => (globalThis as unknown as { talk: TalkingWindow }).talk.close())
  await becomes(t, async () => server.places.taken, 1)
  const callId = await theirs.evaluate(() => (globalThis as unknown as { talk: TalkingWindow }).talk.seen().callId)
  const headers = { authorization: `Bearer ${server.apiKey}` }
  t.is((await fetch(`${url}/${callId}/hangup`, { method: 'POST', headers })).status, 200)
  await eventually('the page knows', () =>
    theirs.evaluate(() => (globalThis as unknown as { talk: TalkingWindow }).talk.seen().state === 'disconnected'),
  )
  await becomes(t, async () => server.places.taken, 0)
})

async function aPageOf(t: ExecutionContext, server: ServerForClients): Promise<Page> {
  const microphone = await aMicrophone(join(await aFolder(t), 'microphone.wav'), 4)
  const browser = await aBrowser(t, { microphone })
  // our own page allows no scripts but its own
  const context = await browser.newContext({ bypassCSP: true, permissions: ['microphone'] })
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${server.port}/`)
  await page.addScriptTag({ path: library })
  return page
}

/** Runs in the page. */
async function connect(input: { url: string; key: string }): Promise<void> {
  // oxlint-disable-next-line typescript/no-explicit-any -- the library as its bundle exports it
  const { RealtimeAgent, RealtimeSession, OpenAIRealtimeWebRTC, tool } = (globalThis as any).OpenAIAgentsRealtime
  const cities: string[] = []
  const types: string[] = []
  const errors: string[] = []
  const weather = tool({
    name: 'weather',
    description: 'Tells the weather',
    strict: false,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: true,
    },
    execute: async ({ city }: { city: string }) => {
      cities.push(city)
      return 'sunny'
    },
  })
  const agent = new RealtimeAgent({ name: 'Guide', instructions: 'Help with the weather.', tools: [weather] })
  const transport = new OpenAIRealtimeWebRTC({ baseUrl: input.url, useInsecureApiKey: true })
  const session = new RealtimeSession(agent, { transport })
  session.on('transport_event', (event: { type: string }) => void types.push(event.type))
  session.on('error', (error: unknown) => void errors.push(JSON.stringify(error)))
  await session.connect({ apiKey: input.key })
  const { peerConnection } = transport.connectionState
  const { callId } = transport
  const wordsOf = (item: { role?: string; content?: { transcript?: string; text?: string }[] }): string[] =>
    (item.content ?? []).map((part) => `${item.role}: ${part.transcript ?? part.text ?? ''}`)
  const talk: TalkingWindow = {
    seen: () => ({ types, errors, cities, callId, state: transport.status, words: session.history.flatMap(wordsOf) }),
    async packets() {
      let received = 0
      for (const report of (await peerConnection.getStats()).values())
        if (report.type === 'inbound-rtp') received += report.packetsReceived
      return received
    },
    close: () => session.close(),
  }
  Object.assign(globalThis, { talk })
}
