import test from 'ava'

import type { CarrierMessage } from '../../../realtime/telephone/carrier.ts'
import { exotel } from '../../../realtime/telephone/exotel.ts'
import { createPhoneCodec } from '../../../realtime/telephone/phone-codec.ts'
import { PhoneSpeaker } from '../../../realtime/telephone/phone-speaker.ts'
import { plivo } from '../../../realtime/telephone/plivo.ts'
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
  {
    carrier: plivo,
    call: {
      streamId: '87654321-4321-4321-4321-000000000002',
      audio: { encoding: 'mu-law', rate: 8_000 },
      facts: { call: '12345678-1234-1234-1234-000000000003' },
      parameters: { customer: 'Asha', plan: 'gold' },
    },
    names: { reached: 'playedStream', play: 'playAudio', mark: 'checkpoint', clear: 'clearAudio' },
  },
  {
    carrier: exotel,
    call: {
      streamId: 'MZ0000000000000000000002',
      audio: { encoding: 'linear', rate: 8_000 },
      facts: { call: 'CA0000000000000000000003', from: '+910000000001', to: '+910000000002' },
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

test('plivo: the audio of a call is what its stream was set to', (t) => {
  const frame = (mediaFormat: object) => {
    const { start } = carrierFrames('plivo').received
    return { ...start, start: { ...start.start, mediaFormat } }
  }
  const linear = plivo.read(frame({ encoding: 'audio/x-l16', sampleRate: 16_000 }))
  t.like(linear, { type: 'Started', call: { audio: { encoding: 'linear', rate: 16_000 } } })
  if (linear?.type === 'Started')
    t.like(plivo.write({ type: 'Play', payload: '' }, linear.call), {
      media: { contentType: 'audio/x-l16', sampleRate: 16_000 },
    })
  for (const format of [
    { encoding: 'audio/x-mulaw', sampleRate: 16_000 },
    { encoding: 'audio/opus', sampleRate: 8_000 },
  ])
    t.is(plivo.read(frame(format)), undefined)
})

test('exotel: a call has 8, 16 or 24 kHz, and µ-law at 8 kHz where it says so', (t) => {
  const audio = (media_format: object) => {
    const { start } = carrierFrames('exotel').received
    const event = exotel.read({ ...start, start: { ...start.start, media_format } })
    return event?.type === 'Started' ? event.call.audio : undefined
  }
  t.deepEqual(audio({ encoding: 'audio/x-raw', sample_rate: '16000' }), { encoding: 'linear', rate: 16_000 })
  t.deepEqual(audio({ encoding: 'raw/slin', sample_rate: 24_000 }), { encoding: 'linear', rate: 24_000 })
  t.deepEqual(audio({ encoding: 'audio/x-mulaw', sample_rate: '8000' }), { encoding: 'mu-law', rate: 8_000 })
  t.is(audio({ encoding: 'audio/x-mulaw', sample_rate: '16000' }), undefined)
  t.is(audio({ encoding: 'audio/x-raw', sample_rate: '44100' }), undefined)
})

const tone = (rate: number): Int16Array =>
  Int16Array.from({ length: rate }, (_, at) => Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / rate)))
const bytesOf = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)

for (const rate of [8_000, 16_000, 24_000] as const)
  test(`linear audio at ${rate} Hz comes back as it went`, (t) => {
    const codec = createPhoneCodec({ encoding: 'linear', rate })
    const [sent, pieces] = [tone(rate), 10]
    const returned = Array.from({ length: pieces }, (_, at) => {
      const piece = bytesOf(sent).subarray((at * 2 * rate) / pieces, ((at + 1) * 2 * rate) / pieces)
      return codec.toCarrier(codec.toSession(piece.toString('base64')))
    })
    const bytes = Buffer.concat(returned)
    const pcm = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    // the filters keep some milliseconds for what follows
    t.true(pcm.length > 0.95 * rate && pcm.length <= rate, String(pcm.length))
    const worst = pcm.reduce((most, sample, at) => Math.max(most, Math.abs(sample - sent[at]!)), 0)
    // µ-law is coarse by 3 % there
    t.true(worst < 400, String(worst))
  })

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
