import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { isOwner } from '../../../actors/ids.ts'
import { openDevelopmentIssuer } from '../../../infra/identity/development-issuer.ts'
import { openRecords } from '../../../infra/nats/records/records.ts'
import { clientOn } from '../../../infra/nats/records/stores.ts'
import { buckets } from '../../../infra/nats/topology/topology.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import { unseal } from '../../../realtime/kept/seal.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { sealedRecords, someKeptSessions } from '../../support/kept-sessions.ts'
import { aNatsServer } from '../../support/nats.ts'
import type { TestNats } from '../../support/nats.ts'
import { startVaak } from '../../support/processes.ts'
import type { VaakProcess } from '../../support/processes.ts'
import { aClient, aRealtimeServer } from '../../support/realtime-server.ts'
import type { TestClient, TestRealtime } from '../../support/realtime-server.ts'
import { userSays } from '../../support/realtime-session.ts'

const path = '/v1/realtime?model=vaak-realtime'
const resuming = (id: string): string => `${path}&resume=${id}`

/** A chat endpoint that says how many messages it was given, and remembers them. */
async function aChatEndpoint(t: ExecutionContext) {
  const asked: string[][] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] } // as: our own client wrote it
      asked.push(messages.map(({ content }) => content))
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      const chunk = { choices: [{ delta: { content: `Answer ${asked.length}.` }, finish_reason: 'stop' }] }
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number } // as: it listens on a port
  return { asked, url: `http://127.0.0.1:${port}/v1` }
}

/** Says it, and has it answered in writing: nothing is spoken that would take long. */
async function exchange(client: TestClient, words: string): Promise<void> {
  const after = client.events.length
  client.send(userSays(words))
  client.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  await client.next('response.done', after)
}

/** Who is cut off in the first moments may come back before anything of it is kept, and is told to come again. */
async function goOn(server: TestRealtime, options: Parameters<TestRealtime['connect']>[0]): Promise<TestClient> {
  let client: TestClient | undefined
  await eventually('it goes on', () => {
    const trying = (client = server.connect(options))
    const isBack = trying.next('session.created').then(
      () => true,
      () => false,
    )
    return Promise.race([isBack, trying.closed.then(() => false)])
  })
  return client!
}

const contentOf = ({ item }: { item: { content: { text?: string }[] } }): string | undefined => item.content[0]?.text

/** Real servers on one broker, as an init system starts them. */
async function someServers(t: ExecutionContext) {
  const nats = await aNatsServer(t)
  const dataDir = await aFolder(t)
  const model = await aChatEndpoint(t)
  const environment = {
    ...gatewayEnvironment(nats, { dataDir }),
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'told',
    SHUTDOWN_SECONDS: '20',
  }
  const start = async (port = '0'): Promise<{ process: VaakProcess; url: string }> => {
    const process = startVaak(t, ['realtime'], { ...environment, REALTIME_PORT: port })
    return { process, url: (await process.ready()).replace('http', 'ws') }
  }
  const issuer = await openDevelopmentIssuer({ folder: `${dataDir}/identity`, nodeEnv: 'test', clock: systemClock })
  return { nats, start, model, keyOf: (user: string) => issuer.sign({ user }) }
}

/** How many items of the one session are in the broker. */
async function lookAtKept(nats: TestNats, id: string): Promise<() => Promise<number>> {
  const client = await clientOn(await nats.connect(), { isAway: () => false })
  const records = await openRecords<{ sealed: string }>(client, buckets.sessions)
  return async () => {
    // which servers live, and how many sessions a user has, is there, too
    const key = (await records.keys()).find((one) => isOwner(one.split('.')[0] ?? '')) ?? 'none'
    const [owner = ''] = key.split('.')
    const found = isOwner(owner) ? await records.read(key) : undefined
    if (!found || !isOwner(owner)) return 0
    return (await unseal(Buffer.from(found.value.sealed, 'base64'), { owner, id }))?.items.length ?? 0
  }
}

test('a conversation goes on at another server when its own is killed, and when it is told to stop', async (t) => {
  const { nats, start, model, keyOf } = await someServers(t)
  const [first, second] = [await start(), await start()]
  const key = await keyOf('asha')
  const client = aClient(t, first.url, { key, path })
  const { session } = await client.next('session.created')
  client.send({ type: 'session.update', session: { type: 'realtime', instructions: 'You are told.' } })
  await exchange(client, 'My name is Meera.')
  const itemsKept = await lookAtKept(nats, session.id)
  await eventually('both items are kept', async () => (await itemsKept()) === 2)
  await first.process.kill9()
  await client.closed
  const stranger = aClient(t, second.url, { key: await keyOf('ravi'), path: resuming(session.id) })
  t.is((await stranger.closed).code, 4004, 'nobody else goes on with it')

  const killed = aClient(t, second.url, { key, path: resuming(session.id) })
  t.like((await killed.next('session.created')).session, { id: session.id, instructions: 'You are told.' })
  await exchange(killed, 'What is my name?')
  t.deepEqual(model.asked.at(-1), ['You are told.', 'My name is Meera.', 'Answer 1.', 'What is my name?'])
  const third = await start()
  second.process.signal('SIGTERM')
  t.is((await killed.closed).code, 1012)

  const drained = aClient(t, third.url, { key, path: resuming(session.id) })
  await drained.next('session.created')
  await exchange(drained, 'And where am I?')
  t.is(model.asked.at(-1)!.length, 6)
  const told = drained.events.filter(({ type }) => type === 'conversation.item.done').map(contentOf)
  t.deepEqual(told.slice(0, 4), ['My name is Meera.', 'Answer 1.', 'What is my name?', 'Answer 2.'])
  drained.socket.close(1000)
  await eventually('nothing of it is kept', async () => (await itemsKept()) === 0)
})

test('a server that is killed while somebody talks is back at once where it was, wherever that is', async (t) => {
  const { start, keyOf } = await someServers(t)
  const first = await start()
  const key = await keyOf('asha')
  const client = aClient(t, first.url, { key, path })
  await client.next('session.created')
  await first.process.kill9()
  await client.closed
  const again = await start(new URL(first.url).port)
  t.is(again.url, first.url)
  await aClient(t, again.url, { key, path }).next('session.created')
})

/** Two servers in this process that find each other's sessions. */
async function pair(t: ExecutionContext): Promise<[TestRealtime, TestRealtime]> {
  const records = sealedRecords()
  return [
    await aRealtimeServer(t, { kept: someKeptSessions({ records }) }),
    await aRealtimeServer(t, { kept: someKeptSessions({ records }) }),
  ]
}

test('a drained server has kept everything when it says so', async (t) => {
  const [first, second] = await pair(t)
  const client = first.connect({ path })
  const { session } = await client.next('session.created')
  await exchange(client, 'hello')
  void first.server.drain(20_000)
  t.deepEqual(await client.closed, { code: 1012, reason: 'Service restart' })
  const again = second.connect({ path: resuming(session.id) })
  await again.next('session.created')
  t.is(again.events.filter(({ type }) => type === 'conversation.item.done').length, 2)
})

test('who is back before what was said is written down goes on with it', async (t) => {
  const [first, second] = await pair(t)
  const cut = first.connect({ path })
  const { session } = await cut.next('session.created')
  cut.send(userSays('hello', 'one'))
  await cut.next('conversation.item.done')
  const again = second.connect({ path: resuming(session.id) })
  await again.next('session.created')
  t.is((await again.next('conversation.item.done')).item.id, 'one')
})

test('a client that was cut off goes on, and one that closed its session does not', async (t) => {
  const [first, second] = await pair(t)
  const cut = first.connect({ path })
  const { session } = await cut.next('session.created')
  await exchange(cut, 'hello')
  cut.socket.terminate()
  await cut.closed
  const again = second.connect({ path: resuming(session.id) })
  await again.next('session.created')
  again.socket.close(1000)
  await again.closed
  await eventually('it is forgotten', async () => {
    const late = first.connect({ path: resuming(session.id) })
    const { code, reason } = await Promise.race([
      late.closed,
      late.next('session.created').then(() => ({ code: 0, reason: '' })),
    ])
    late.socket.terminate()
    return code === 4004 && reason === 'invalid_request_error.session_not_found'
  })
  await eventually('its places are given back', () => first.places.taken + second.places.taken === 0)
  t.pass()
})

test('a browser with a locked token goes on with sessions of such tokens only', async (t) => {
  const [first, second] = await pair(t)
  const secret = async (): Promise<string> => {
    const body = JSON.stringify({ locked: true, session: { type: 'realtime', instructions: 'Sell tea.' } })
    const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
    const answer = await fetch(`${first.httpUrl}/v1/realtime/client_secrets`, { method: 'POST', headers, body })
    return ((await answer.json()) as { value: string }).value // as: it is documented so
  }
  const own = first.connect({ path })
  const { session: open } = await own.next('session.created')
  own.send({ type: 'session.update', session: { type: 'realtime', instructions: 'A secret.' } })
  await exchange(own, 'hello')
  own.socket.terminate()
  await own.closed
  const nosy = second.connect({ key: await secret(), path: resuming(open.id) })
  t.is((await nosy.closed).code, 4004)
  const asha = await goOn(second, { path: resuming(open.id) })
  t.is((await asha.next('session.created')).session.instructions, 'A secret.')

  const page = first.connect({ key: await secret(), path })
  const { session: locked } = await page.next('session.created')
  await exchange(page, 'tea?')
  page.socket.terminate()
  await page.closed
  const reloaded = await goOn(second, { key: await secret(), path: resuming(locked.id) })
  t.is((await reloaded.next('session.created')).session.instructions, 'Sell tea.')
  reloaded.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Sell all.' } })
  t.is((await reloaded.next('error')).error.code, 'invalid_value')
})

test('where nothing is kept nobody goes on, and a broker that is away is said to be', async (t) => {
  const plain = await aRealtimeServer(t)
  const id = `sess_${'a'.repeat(21)}`
  t.is((await plain.connect({ path: resuming(id) }).closed).code, 4004)
  const records = { ...sealedRecords(), read: () => Promise.reject(new Error('away')) }
  const cutOff = await aRealtimeServer(t, { kept: someKeptSessions({ records }) })
  t.is((await cutOff.connect({ path: resuming(id) }).closed).code, 1013)
  await eventually('it has no place', () => cutOff.places.taken === 0)
})
