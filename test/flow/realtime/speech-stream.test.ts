import test from 'ava'

import type { SpokenClause, Voices } from '../../../actors/conversation/ports.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aPassingGateway } from '../../support/passing-gateway.ts'
import { someVoices } from '../../support/realtime-fakes.ts'
import { aClient, aRealtimeServer } from '../../support/realtime-server.ts'
import type { Event, TestClient, TestRealtime } from '../../support/realtime-server.ts'
import { silentLog } from '../../support/silent-log.ts'

const path = '/v1/audio/speech/stream?voice=asha'
const open = ({ connect }: TestRealtime, query = ''): TestClient => connect({ path: `${path}${query}` })
const opened = async (server: TestRealtime, query = ''): Promise<TestClient> => {
  const client = open(server, query)
  await client.next('ready')
  return client
}
const say = (client: TestClient, ...texts: readonly string[]): void => {
  for (const text of texts) client.send({ type: 'text', text })
}
const wordsOf = (events: readonly Event[]): { text: string; start: number; end: number }[] =>
  events.flatMap(({ words = [] }) => words)
const bytesOf = (events: readonly Event[]): number =>
  events.reduce((sum, { audio = '' }) => sum + Buffer.from(audio, 'base64').length, 0)

test('a clause is heard as soon as it is written, each word at its time, and the stream ends when it is told to', async (t) => {
  const client = await opened(await aRealtimeServer(t))
  t.like(client.events[0], { type: 'ready', voice: 'asha', format: 'pcm16', rate: 24_000, speed: 1 })
  say(client, 'One ', 'two. ', 'Thr')
  await client.next('audio')
  t.deepEqual(
    wordsOf(client.events).map(({ text }) => text),
    ['One', 'two.'],
  )
  say(client, 'ee four')
  client.send({ type: 'end' })
  t.deepEqual(await client.closed, { code: 1000, reason: 'done' })
  t.deepEqual(wordsOf(client.events), [
    { text: 'One', start: 0, end: 0.1 },
    { text: 'two.', start: 0.1, end: 0.2 },
    { text: 'Three', start: 0.2, end: 0.3 },
    { text: 'four', start: 0.3, end: 0.4 },
  ])
  t.like(client.events.at(-1), { type: 'done', duration: 0.4 })
  t.is(bytesOf(client.events), 0.4 * 48_000)
})

test('the real voices speak what is written, with times that follow each other, in the format of telephones too', async (t) => {
  const folder = await aFolder(t)
  const voices = openVoices({
    engine: 'light',
    cacheDir: folder,
    modelDir: '',
    voicesFile: '',
    lightMeanwhile: true,
    log: silentLog,
  })
  t.teardown(() => voices.close())
  const server = await aRealtimeServer(t, { speech: { voices } })
  const client = await opened(server, '&format=g711_ulaw&speed=1.5')
  const text = 'नमस्ते, this is Vaak. यह दूसरा वाक्य है।'
  for (const piece of text.match(/.{1,5}/gsu)!) say(client, piece)
  client.send({ type: 'end' })
  await client.closed
  const words = wordsOf(client.events)
  t.deepEqual(
    words.map((word) => word.text),
    text.split(' '),
  )
  const { duration } = client.events.at(-1)
  const marks = [0, ...words.flatMap(({ start, end }) => [start, end]), duration]
  t.deepEqual(
    marks,
    marks.toSorted((one, other) => one - other),
  )
  t.true(Math.abs(bytesOf(client.events) / 8_000 - duration) < 0.05)
})

test('flush speaks what is written so far, and says when all of it was sent', async (t) => {
  const client = await opened(await aRealtimeServer(t))
  say(client, 'not yet a sentence')
  client.send({ type: 'flush' })
  await client.next('flushed')
  t.is(wordsOf(client.events).length, 4)
  t.is(client.events.at(-1).type, 'flushed')
  say(client, 'and more')
  client.send({ type: 'flush' })
  await client.next('flushed', client.events.length)
  t.deepEqual(wordsOf(client.events).at(-1), { text: 'more', start: 0.5, end: 0.6 })
})

test('clear drops what was not sent: nothing of it comes after cleared, and what is written then is spoken', async (t) => {
  const server = await aRealtimeServer(t)
  const client = await opened(server)
  say(client, 'Unfinished words that wait for their end')
  client.send({ type: 'clear' })
  await client.next('cleared')
  say(client, 'Another.')
  client.send({ type: 'end' })
  await client.closed
  t.deepEqual(
    wordsOf(client.events).map(({ text }) => text),
    ['Another.'],
  )
})

test('an event that is wrong is refused with the reason and its id, and the stream goes on', async (t) => {
  const client = await opened(await aRealtimeServer(t))
  for (const [event, pattern] of [
    ['{', /JSON object/],
    ['[]', /JSON object/],
    [{ type: 'speak', event_id: 'mine' }, /'text', 'flush', 'clear', 'end'/],
    [{ type: 'toString' }, /'text'/],
    [{ type: 'text' }, /Missing required parameter: 'text'/],
    [{ type: 'text', text: 5 }, /Invalid value for 'text'/],
    [{ type: 'text', text: 'a'.repeat(4_097) }, /at most 4096 characters/],
    ['['.repeat(100_000), /at most 25600 characters/],
    [{ type: 'flush', now: true }, /Unknown parameter: 'now'/],
  ] as const) {
    const before = client.events.length
    client.send(event)
    const { error } = await client.next('error', before)
    t.regex(error.message, pattern)
    t.is(error.event_id, typeof event === 'object' && 'event_id' in event ? event.event_id : null)
  }
  client.socket.send(Buffer.from([1, 2, 3]))
  await eventually('binary frames are refused', () => client.events.some(({ error }) => /Binary/.test(error?.message)))
  say(client, 'Fine.')
  client.send({ type: 'end' })
  say(client, 'Too late.')
  await client.closed
  t.deepEqual(
    wordsOf(client.events).map(({ text }) => text),
    ['Fine.'],
  )
})

for (const [name, query, code, pattern] of [
  ['no voice', 'speed=1', 4000, /Missing required parameter: 'voice'.*'asha', 'ravi', 'emma'/],
  ['a voice that there is not', 'voice=nobody', 4000, /no voice 'nobody'.*'asha'/],
  ['a wrong speed', 'voice=asha&speed=9', 4000, /'speed'.*0\.25 to 4/],
  ['a wrong format', 'voice=asha&format=mp3', 4000, /'format'.*'pcm16'/],
  ['what nobody knows', 'voice=asha&resume=sess_1', 4000, /Unknown parameter: 'resume'/],
] as const)
  test(`a stream with ${name} does not begin, and its client is told why`, async (t) => {
    const { connect, places } = await aRealtimeServer(t)
    const client = connect({ path: `/v1/audio/speech/stream?${query}` })
    t.is((await client.closed).code, code)
    t.regex(client.events[0].error.message, pattern)
    t.is(places.taken, 0)
  })

test('neither nobody, nor who has a session secret, opens a stream', async (t) => {
  const { connect, httpUrl } = await aRealtimeServer(t)
  t.is((await connect({ path, key: null }).closed).code, 3000)
  t.is((await connect({ path, key: 'bad' }).closed).code, 3000)
  const asked = { method: 'POST', headers: { authorization: 'Bearer good', 'content-type': 'application/json' } }
  const answer = await fetch(`${httpUrl}/v1/realtime/client_secrets`, { ...asked, body: '{}' })
  const { value } = (await answer.json()) as { value: string }
  const refused = connect({ path, key: value })
  t.is((await refused.closed).code, 3003)
  t.regex(refused.events[0].error.message, /needs a token or an API key/)
})

test('a stream takes a place of its user as a session does, and gives it back', async (t) => {
  const server = await aRealtimeServer(t, { userSessions: 1 })
  const client = await opened(server)
  const another = open(server)
  t.is((await another.closed).code, 1008)
  t.regex(another.events[0].error.message, /1 sessions, which is the limit/)
  client.send({ type: 'end' })
  await client.closed
  await eventually('the place is free', () => server.places.taken === 0)
  await t.notThrowsAsync(opened(server))
})

/** Voices that never say anything, and know how far they were read. */
function silentVoices(): Voices & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = []
  return {
    ...someVoices(),
    signals,
    async *speak(_text, { signal }) {
      signals.push(signal)
      yield* await new Promise<SpokenClause[]>((resolve) => {
        signal.addEventListener('abort', () => resolve([]), { once: true })
      })
    },
  }
}

test('more text than may wait ends the stream with the limit, and what spoke it stops', async (t) => {
  const voices = silentVoices()
  const client = await opened(await aRealtimeServer(t, { speech: { voices }, streams: { waitingCharacters: 10_000 } }))
  say(client, 'a'.repeat(4_000), 'b'.repeat(4_000), 'c'.repeat(4_000))
  t.is((await client.closed).code, 1008)
  t.regex(client.events.at(-1).error.message, /10000 characters/)
  await eventually('it is stopped', () => voices.signals.length === 1 && voices.signals[0]!.aborted)
})

test('more flushes than may wait end the stream with the limit', async (t) => {
  const client = await opened(
    await aRealtimeServer(t, { speech: { voices: silentVoices() }, streams: { waitingFlushes: 3 } }),
  )
  say(client, 'a')
  for (let flushes = 0; flushes < 4; flushes += 1) client.send({ type: 'flush' })
  t.is((await client.closed).code, 1008)
  t.regex(client.events.at(-1).error.message, /3 flushes/)
})

/** Clauses without end, counted as they are made: ten seconds of audio each. Of nothing they make nothing. */
function endlessVoices(): Voices & { made: number } {
  const clause: SpokenClause = { text: '', samples: new Int16Array(240_000), words: [] }
  return {
    ...someVoices(),
    made: 0,
    async *speak(text, { signal }) {
      const { done } = await text[Symbol.asyncIterator]().next()
      if (done) return
      while (!signal.aborted) {
        this.made += 1
        yield clause
      }
    },
  }
}

const smallBuffer = { socketLimits: { sendBufferBytes: 256 * 1024, framesAtOnce: 1_000, framesPerSecond: 500 } }

test('clear stops what is being spoken, and nothing of it comes after cleared', async (t) => {
  const client = await opened(await aRealtimeServer(t, { speech: { voices: endlessVoices() } }))
  say(client, 'Endless.')
  await client.next('audio')
  client.send({ type: 'clear' })
  client.send({ type: 'end' })
  const { duration } = await client.next('done')
  const types = client.events.map(({ type }) => type)
  t.deepEqual(
    types.slice(types.indexOf('cleared')).filter((type) => type === 'audio'),
    [],
  )
  t.is(client.events.findLast(({ type }) => type === 'audio').end, duration)
})

test('no more is made than a client reads, and it goes on when it reads again', async (t) => {
  const voices = endlessVoices()
  const client = await opened(await aRealtimeServer(t, { speech: { voices }, server: smallBuffer }))
  client.socket.pause()
  say(client, 'Endless.')
  let [before, looks] = [-1, 0]
  await eventually('it stands still', () => {
    looks = before === voices.made ? looks + 1 : 0
    before = voices.made
    return voices.made > 0 && looks > 20
  })
  const stood = voices.made
  client.socket.resume()
  await eventually('it goes on', () => voices.made > stood + 20)
  t.is(client.socket.readyState, client.socket.OPEN)
})

test('who reads nothing for too long is gone', async (t) => {
  const voices = endlessVoices()
  const server = await aRealtimeServer(t, { speech: { voices }, server: smallBuffer, streams: { unreadMs: 50 } })
  const client = await opened(server)
  client.socket.pause()
  say(client, 'Endless.')
  await eventually('its place is free', () => server.places.taken === 0)
  client.socket.resume()
  t.is((await client.closed).code, 1013)
})

test('a voice that fails ends the stream, and nobody is told more than that', async (t) => {
  const failing: Voices = {
    ...someVoices(),
    // oxlint-disable-next-line require-yield -- it fails before it says anything
    async *speak() {
      throw new Error('a secret of the house')
    },
  }
  const client = await opened(await aRealtimeServer(t, { speech: { voices: failing } }))
  say(client, 'Hello.')
  t.is((await client.closed).code, 1011)
  t.notRegex(JSON.stringify(client.events), /secret of the house/)
})

test('a server that stops speaks what was written, and sends its client elsewhere', async (t) => {
  const { server, ...rest } = await aRealtimeServer(t)
  const client = await opened({ server, ...rest })
  say(client, 'One two three')
  await eventually('it has come', () => rest.places.taken === 1)
  client.send({ type: 'flush' })
  await client.next('flushed')
  say(client, 'four')
  client.send({ type: 'nonsense' })
  await client.next('error')
  const drained = server.drain(30_000)
  t.is((await client.closed).code, 1012)
  t.is(wordsOf(client.events).at(-1)?.text, 'four')
  await drained
})

test('a stream has a length, after which it ends', async (t) => {
  const client = open(await aRealtimeServer(t, { streams: { sessionSeconds: 0.2 } }))
  t.is((await client.closed).code, 1008)
  t.regex(client.events.at(-1).error.message, /0\.2 seconds at most/)
})

test('a gateway passes streams on', async (t) => {
  const { port } = await aPassingGateway(t, await aRealtimeServer(t))
  const client = aClient(t, `ws://127.0.0.1:${port}`, { path })
  await client.next('ready')
  say(client, 'Hello.')
  client.send({ type: 'end' })
  t.is((await client.closed).code, 1000)
  t.deepEqual(
    wordsOf(client.events).map(({ text }) => text),
    ['Hello.'],
  )
})
