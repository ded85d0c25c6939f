import test from 'ava'

import type { CarrierMessage } from '../../../realtime/telephone/carrier.ts'
import { createPhoneCodec } from '../../../realtime/telephone/phone-codec.ts'
import { PhoneSpeaker } from '../../../realtime/telephone/phone-speaker.ts'
import { twilio } from '../../../realtime/telephone/twilio.ts'
import { carrierFrames } from '../../support/carrier-frames.ts'

/** What carriers write and take, held against the committed frames of their documentation. */
const carriers = [
  {
    carrier: twilio,
    call: {
      streamId: 'MZ00000000000000000000000000000002',
      audio: { encoding: 'mu-law', rate: 8_000 },
      facts: { call: 'CA00000000000000000000000000000003' },
      parameters: { customer: 'Asha' },
    },
    names: { reached: 'mark', play: 'media', mark: 'mark', clear: 'clear' },
  },
] as const

for (const { carrier, call, names } of carriers) {
  const { received, sent } = carrierFrames(carrier.name)

  test(`${carrier.name}: each documented frame says what it means`, (t) => {
    t.deepEqual(carrier.read(received['start']), { type: 'Started', call })
    t.deepEqual(carrier.read(received['media']), { type: 'Audio', payload: '/////w==' })
    t.deepEqual(carrier.read(received[names.reached]), { type: 'Reached', mark: 'vaak-1' })
    t.deepEqual(carrier.read(received['dtmf']), { type: 'KeyPressed', key: '1' })
    t.deepEqual(carrier.read(received['stop']), { type: 'HungUp' })
    const { start: _, media: __, [names.reached]: ___, dtmf: ____, stop: _____, ...others } = received
    for (const frame of Object.values(others)) t.deepEqual(carrier.read(frame), { type: 'Other' })
  })

  test(`${carrier.name}: what is sent is as it is documented`, (t) => {
    t.deepEqual(carrier.write({ type: 'Play', payload: '/////w==' }, call), sent[names.play])
    t.deepEqual(carrier.write({ type: 'Mark', name: 'vaak-1' }, call), sent[names.mark])
    t.deepEqual(carrier.write({ type: 'Clear' }, call), sent[names.clear])
  })

  test(`${carrier.name}: our own audio that comes back is not heard`, (t) => {
    const frame = structuredClone(received['media'])
    frame.media.track = 'outbound'
    t.deepEqual(carrier.read(frame), { type: 'Other' })
  })
}

const secondOfAudio = Buffer.alloc(8_000, 0x7f).toString('base64')

/** On a clock that a test moves. */
function aSpeaker(pieceBytes = 1) {
  const sent: CarrierMessage[] = []
  const reports: number[] = []
  let nowMs = 0
  const speaker = new PhoneSpeaker({
    codec: createPhoneCodec({ encoding: 'mu-law', rate: 8_000 }),
    pieceBytes,
    clock: { elapsedMs: () => nowMs },
    send: (message) => void sent.push(message),
    report: (aheadMs) => void reports.push(aheadMs),
  })
  const marks = (): string[] => sent.flatMap((message) => (message.type === 'Mark' ? [message.name] : []))
  return { speaker, sent, reports, marks, pass: (ms: number) => void (nowMs += ms) }
}

test('marks tell how much was played, and the clock only within one piece', (t) => {
  const { speaker, reports, marks, pass } = aSpeaker()
  speaker.play('resp', secondOfAudio)
  speaker.play('resp', secondOfAudio)
  pass(400)
  speaker.look()
  pass(1_400) // the carrier is late: no more than the first piece was played
  speaker.look()
  speaker.reached(marks()[0]!)
  pass(300)
  speaker.look()
  speaker.reached(marks()[1]!)
  t.deepEqual(reports, [1_600, 1_000, 1_000, 700, 0])
})

test('marks of what was cleared say nothing of what is played since', (t) => {
  const { speaker, sent, reports, marks } = aSpeaker()
  speaker.play('resp', secondOfAudio)
  speaker.stop()
  speaker.play('next', secondOfAudio)
  speaker.reached(marks()[0]!)
  t.deepEqual(reports, [])
  t.deepEqual(
    sent.map(({ type }) => type),
    ['Play', 'Mark', 'Clear', 'Play', 'Mark'],
  )
})

test('who plays nothing has nothing to clear', (t) => {
  const { speaker, sent, marks } = aSpeaker()
  speaker.stop()
  speaker.play('resp', secondOfAudio)
  speaker.reached(marks()[0]!)
  speaker.stop()
  t.false(sent.some(({ type }) => type === 'Clear'))
})

test('a carrier that tells no marks is left to the clock, and still cleared', (t) => {
  const { speaker, sent, reports, marks, pass } = aSpeaker()
  speaker.play('resp', secondOfAudio)
  pass(4_000)
  speaker.look()
  speaker.play('resp', secondOfAudio)
  speaker.look()
  t.deepEqual(reports, [])
  speaker.stop()
  t.is(sent.at(-1)!.type, 'Clear')
  speaker.play('next', secondOfAudio)
  speaker.reached(marks().at(-1)!)
  t.deepEqual(reports, [0])
})

test('audio goes out in whole pieces, the last of an answer filled with silence', (t) => {
  const { speaker, sent } = aSpeaker(3_200)
  const sizes = (): number[] =>
    sent.flatMap((message) => (message.type === 'Play' ? [Buffer.from(message.payload, 'base64').length] : []))
  speaker.play('resp', secondOfAudio)
  t.deepEqual(sizes(), [6_400])
  speaker.play('resp', secondOfAudio)
  t.deepEqual(sizes(), [6_400, 9_600])
  speaker.play('resp', secondOfAudio)
  speaker.finish()
  t.deepEqual(sizes(), [6_400, 9_600, 6_400, 3_200])
  const [last] = sent.flatMap((message) => (message.type === 'Play' ? [message.payload] : [])).slice(-1)
  const bytes = Buffer.from(last!, 'base64')
  t.is(bytes.indexOf(0xff), (3 * 8_000) % 3_200)
  speaker.finish()
  t.is(sizes().length, 4)
})
