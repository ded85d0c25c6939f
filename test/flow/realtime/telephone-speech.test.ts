import test from 'ava'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { decodeG711 } from '../../../infra/speech/audio/signal/g711.ts'
import { toFloat } from '../../../infra/speech/audio/signal/pcm.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import { qualityOf } from '../../../infra/speech/evaluate/quality.ts'
import { eventually } from '../../support/eventually.ts'
import { aPhone, exotelScript, plivoScript, twilioScript } from '../../support/phone.ts'
import { aModel, says } from '../../support/realtime-fakes.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'
import { sessionSpeech } from '../../support/session-speech.ts'

/** What is said over a telephone line and what is answered, with the models that sessions have. */

const { detector, listener, voices } = sessionSpeech(test)

const withinMs = 200_000
const answer = 'Your parcel will arrive tomorrow morning.'
const scripts = { twilio: twilioScript, plivo: plivoScript, exotel: exotelScript }
const muLaw = (bytes: Buffer): Int16Array => decodeG711(bytes, 'mu-law')
const linear = (bytes: Buffer): Int16Array =>
  new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
const decoders = { twilio: muLaw, plivo: muLaw, exotel: linear }

/** Between 0 and 1, and more where more was heard than said. */
const errorsIn = (heard: string, said: string): number => qualityOf({ said, heard }).word_error_rate

for (const carrier of ['twilio', 'plivo', 'exotel'] as const)
  test.serial(`${carrier}: people are understood over the telephone, and so are answers`, async (t) => {
    t.timeout(2 * withinMs, 'the first run fetches the models')
    const recording = (await speechFixtures('english')).find(({ name }) => name === 'parcel.ogg')!
    const answers = aModel()
    answers.next.push(says(answer))
    const realtime = await aRealtimeServer(t, { speech: { detector, listener, voices, answers } })
    const script = scripts[carrier]
    const phone = await aPhone(t, realtime.url, { script })
    phone.begin({ token: 'good-asha', voice: 'maya' })
    await eventually('the call is taken', () => realtime.places.taken === 1)
    phone.say(recording.samples)
    phone.silence(1_500)
    await eventually('it is answered', () => answers.asked[0], withinMs)
    const turn = answers.asked[0]!.turns.at(-1)
    const heard = turn?.kind === 'said' ? turn.text : ''
    t.true(errorsIn(heard, recording.text) < 0.4, heard)
    await realtime.server.drain(withinMs) // when the answer was sent whole
    await phone.closed
    const payloads = phone.frames.flatMap((frame) => script.read(frame).payload ?? [])
    const pcm = payloads.map((payload) => toFloat(decoders[carrier](Buffer.from(payload, 'base64'))))
    const samples = resample(joinedSamples(pcm), 8_000, recogniserRate)
    const { text } = await listener.transcribe(samples, { language: 'en', signal: new AbortController().signal })
    t.true(errorsIn(text, answer) < 0.5, text)
  })
