import test from 'ava'

import { goodEvents } from '../../support/client-events.ts'
import { eventually } from '../../support/eventually.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import type { TestClient } from '../../support/realtime-server.ts'
import { aRandom } from '../../support/samples.ts'

const framesTotal = 10_000
const framesAtOnce = 200
const seed = 20_261_115
const witnessWord = 'witness-7f3a9c'

test(`${framesTotal} mutated frames (seed ${seed}) neither end the server nor reach another session`, async (t) => {
  t.timeout(240_000)
  const random = aRandom(seed)
  const realtime = await aRealtimeServer(t, {
    server: { socketLimits: { sendBufferBytes: 64 * 1024 * 1024, framesAtOnce: 100_000, framesPerSecond: 100_000 } },
  })
  const witness = realtime.connect({ key: 'good-witness' })
  await witness.next('session.created')
  tell(witness, witnessWord)
  await witness.next('conversation.item.done')

  const seen: string[] = []
  let client = await aVictim(realtime.connect, seen)
  for (let sent = 0; sent < framesTotal; sent += framesAtOnce) {
    for (let at = 0; at < framesAtOnce; at += 1) sendMutated(client, random)
    const open = client.socket.readyState === client.socket.OPEN
    // a frame that is not UTF-8 ends its own connection
    if (!open || !(await answers(client))) client = await aVictim(realtime.connect, seen)
  }

  const before = witness.events.length
  tell(witness, 'still here')
  await witness.next('conversation.item.done', before)
  await eventually('only these two have a place', () => realtime.places.taken === 2)
  t.false(seen.concat(JSON.stringify(client.events)).some((text) => text.includes(witnessWord)))
  t.false(JSON.stringify(witness.events).includes('sess_fuzz'))
  const types = new Set(witness.events.map((event: { type: string }) => event.type))
  t.deepEqual([...types].sort(), ['conversation.item.added', 'conversation.item.done', 'session.created'])
  for (const event of client.events) t.is(typeof event.event_id, 'string')
})

async function aVictim(connect: (options: { key: string }) => TestClient, seen: string[]): Promise<TestClient> {
  const client = connect({ key: 'good-victim' })
  client.socket.on('message', (data: Buffer) => seen.push(data.toString('latin1')))
  client.socket.on('error', () => undefined)
  await client.next('session.created')
  return client
}

/** Whether a good event is still answered. */
async function answers(client: TestClient): Promise<boolean> {
  const before = client.events.length
  const isOpen = (): boolean => client.socket.readyState === client.socket.OPEN
  if (isOpen()) client.send({ type: 'input_audio_buffer.clear' })
  const isAnswered = (): boolean =>
    client.events.slice(before).some((event: { type: string }) => event.type === 'input_audio_buffer.cleared')
  return eventually('it answers or is closed', () => isAnswered() || (isOpen() ? undefined : 'closed')).then(
    (answer) => answer === true,
  )
}

function tell(client: TestClient, text: string): void {
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
  client.send({ type: 'conversation.item.create', item })
}

function sendMutated(client: TestClient, random: () => number): void {
  const kind = random()
  if (kind < 0.05) return client.socket.send(randomBytes(random), { binary: true })
  if (kind < 0.051) return client.socket.send(randomBytes(random), { binary: false })
  const event = structuredClone(goodEvents[Math.floor(random() * goodEvents.length)]!)
  const spoiled = JSON.stringify(spoil({ ...event, event_id: `fuzz_${random()}` }, random, 0)) ?? ''
  client.send(kind < 0.15 ? torn(spoiled, random) : spoiled)
}

const oddities: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x'.repeat(3000),
  '\u0000\uD800',
  '__proto__',
  [],
  {},
  [[[[[[[[]]]]]]]],
  { toString: 1, constructor: { prototype: 1 } },
  'नमस्ते',
  Number.MAX_SAFE_INTEGER,
]

/** Some of its members go, change, or are joined by strange ones. */
function spoil(value: unknown, random: () => number, depth: number): unknown {
  if (random() < 0.08) return oddities[Math.floor(random() * oddities.length)]
  if (Array.isArray(value)) return value.flatMap((one) => (random() < 0.05 ? [] : [spoil(one, random, depth + 1)]))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, of]) => {
    if (random() < 0.05) return []
    // the type mostly stays, so that the rest is looked at
    if (name === 'type' && depth === 0 && random() < 0.9) return [[name, of] as const]
    return [[random() < 0.03 ? `${name}x` : name, spoil(of, random, depth + 1)] as const]
  })
  return Object.fromEntries(members)
}

function torn(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  return text.slice(0, at) + (random() < 0.5 ? String.fromCharCode(random() * 0xd7ff) : '') + text.slice(at + 2)
}

function randomBytes(random: () => number): Buffer {
  return Buffer.from(Array.from({ length: 1 + Math.floor(random() * 200) }, () => Math.floor(random() * 256)))
}
