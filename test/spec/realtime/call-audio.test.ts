import test from 'ava'

import { openCodec } from '../../../realtime/call/codec.ts'
import { IncomingAudio } from '../../../realtime/call/incoming-audio.ts'
import { OutgoingAudio } from '../../../realtime/call/outgoing-audio.ts'
import { PacketOrder } from '../../../realtime/call/packet-order.ts'
import type { OrderedPacket } from '../../../realtime/call/packet-order.ts'
import { audioOf } from '../../support/realtime-session.ts'

const payload = (sequence: number): Uint8Array => Uint8Array.of(sequence % 256)
const shown = (ordered: readonly OrderedPacket[]): (number | string)[] =>
  ordered.map((packet) => (packet.type === 'came' ? packet.payload[0]! : packet.next ? 'known a little' : 'lost'))

/** What an order gives for packets that come 20 ms apart, and what after a while. */
function given(sequences: readonly number[]): (number | string)[] {
  const order = new PacketOrder()
  const ordered = sequences.flatMap((sequence, index) =>
    order.push({ sequence, payload: payload(sequence) }, 20 * index),
  )
  return shown([...ordered, ...order.look(20 * sequences.length + 100)])
}

const orders: readonly (readonly [string, readonly number[], readonly (number | string)[]])[] = [
  ['packets in order', [1, 2, 3], [1, 2, 3]],
  ['packets that changed places', [1, 3, 2, 4], [1, 2, 3, 4]],
  ['a packet that came twice', [1, 2, 2, 3], [1, 2, 3]],
  ['a packet that is missing', [1, 3, 4, 5, 6], [1, 'known a little', 3, 4, 5, 6]],
  ['two that are missing', [1, 4, 5, 6, 7], [1, 'lost', 'known a little', 4, 5, 6, 7]],
  ['a packet that comes too late', [1, 3, 4, 5, 6, 2], [1, 'known a little', 3, 4, 5, 6]],
  ['a gap that nobody can make up for', [1, 200, 201], [1, 200, 201]],
  ['a count that begins anew', [65_535, 0, 1], [255, 0, 1]],
]
for (const [what, sequences, expected] of orders) test(`order: ${what}`, (t) => t.deepEqual(given(sequences), expected))

test('a packet in its place waits for nobody', (t) => {
  const order = new PacketOrder()
  t.deepEqual(shown(order.push({ sequence: 7, payload: payload(7) }, 0)), [7])
  t.deepEqual(shown(order.push({ sequence: 8, payload: payload(8) }, 0)), [8])
})

test('what is lost and what is no Opus is made up for, and silence follows where nothing comes', async (t) => {
  const codec = await openCodec()
  t.teardown(() => codec.close())
  const { encoder, decoder } = codec
  const heard: Int16Array[] = []
  const incoming = new IncomingAudio({ decoder, hear: (pcm) => void heard.push(pcm.slice()) })
  const frame = new Int16Array(Buffer.from(audioOf(20, true), 'base64').buffer.slice(0, 960))
  for (const sequence of [1, 2, 3, 4, 5, 7, 8, 9, 10, 11])
    incoming.take({ sequence, payload: encoder.encode(frame).slice() }, 20 * sequence)
  incoming.take({ sequence: 12, payload: Uint8Array.of() }, 240)
  t.is(heard.length, 12)
  t.true(heard.every((pcm) => pcm.length === 480))
  incoming.look(400)
  t.is(heard.length, 12)
  incoming.look(540)
  t.is(heard.length, 12 + 15)
  t.true(heard.slice(12).every((pcm) => pcm.every((sample) => sample === 0)))
})

test('an answer goes out in time, a little ahead, and its end is told when it was sent', (t) => {
  let nowMs = 0
  const sent: number[] = []
  const told: string[] = []
  const outgoing = new OutgoingAudio({
    encoder: { encode: () => new Uint8Array(1) },
    clock: { elapsedMs: () => nowMs },
    send: ({ timestamp }) => void sent.push(timestamp / 48),
    tell: (type, responseId) => void told.push(`${type} ${responseId}`),
  })
  outgoing.play('resp_1', audioOf(200, true))
  outgoing.finish('resp_1')
  t.deepEqual(sent, [0, 20, 40])
  t.deepEqual(told, ['output_audio_buffer.started resp_1'])
  for (; nowMs <= 400; nowMs += 20) outgoing.look()
  // five frames of silence follow
  t.deepEqual(
    sent,
    Array.from({ length: 15 }, (_, index) => 20 * index),
  )
  t.deepEqual(told.slice(1), ['output_audio_buffer.stopped resp_1'])
  outgoing.play('resp_2', audioOf(200, true))
  t.is(sent[15], nowMs)
  outgoing.stop(false)
  outgoing.look()
  t.is(told.at(-1), 'output_audio_buffer.cleared resp_2')
})
