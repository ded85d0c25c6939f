import { createInterface } from 'node:readline'

import load from '@echogarden/espeak-ng-emscripten'
import type { ESpeakEvent } from '@echogarden/espeak-ng-emscripten'

import { spokenRate } from '../../../../actors/conversation/ports.ts'
import { sendMessage } from '../../../process/messages.ts'
import { toFloat, toPcm } from '../../audio/signal/pcm.ts'
import { createResampler, resampleBy } from '../../audio/signal/resample.ts'
import { enoughForSpeech } from '../../audio/signal/resampling-filter.ts'
import { stretch } from '../stretch.ts'
import { espeakMessageKind, samplesPerMessage } from './protocol.ts'
import type { SpeakRequest, EspeakSpoken } from './protocol.ts'

/**
 * The process of the phoneme engine. It is GPL-3.0 and so kept apart from everything of ours, and it is expendable: whatever
 * a text does to it, only this process dies of it.
 */
const engineRate = 22_050
/**
 * Of one request. A whole clause of digits at the slowest speed takes less; letters of a foreign script are spelt by their names,
 * ninety of them for more than a minute.
 */
const audioSecondsMax = 180
// a finer one would take longer than the speaking itself
const resampler = createResampler(engineRate, spokenRate, enoughForSpeech)
const { eSpeakNGWorker } = await load({ print: () => undefined, printErr: () => undefined })
const engine = new eSpeakNGWorker()

// the first sentences take a second, as code is compiled: they are said before anybody waits for one
const firstSentences = {
  hi: 'दुकान दस बजे खुलती है, and closes at 9.',
  ta: 'கடை பத்து மணிக்கு திறக்கும்',
  'en-us': 'The shop across the street sells good bread, and opens at ten in the morning.',
}
for (const [voice, sentence] of Object.entries(firstSentences)) {
  engine.set_voice(voice)
  engine.synthesize(sentence, () => false)
}
await sendMessage(espeakMessageKind.ready, new Uint8Array(0))
for await (const line of createInterface({ input: process.stdin })) {
  const request: SpeakRequest = JSON.parse(line)
  await speak(request)
}

async function speak(request: SpeakRequest): Promise<void> {
  if (engine.set_voice(request.voice) !== 0) throw new Error(`there is no voice ${request.voice}`)
  engine.set_rate(request.rate)
  engine.set_pitch(request.pitch)
  engine.set_range(request.range)
  const sounds: Int16Array[] = []
  const events: ESpeakEvent[] = []
  let made = 0
  engine.synthesize(request.text, (samples, further) => {
    if (samples && request.audio) sounds.push(samples)
    events.push(...further)
    made += samples?.length ?? 0
    return made > audioSecondsMax * engineRate // which stops it
  })
  const audio = atSpokenRate(sounds, request.stretch)
  for (let at = 0; at < audio.length; at += samplesPerMessage) {
    const part = audio.subarray(at, at + samplesPerMessage)
    await sendMessage(espeakMessageKind.audio, new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  }
  await sendMessage(espeakMessageKind.spoken, Buffer.from(JSON.stringify(told(events, request.stretch))))
}

/** Here, because it takes milliseconds that the sockets of the parent would have to wait. */
function atSpokenRate(sounds: readonly Int16Array[], factor: number): Int16Array {
  const whole = new Int16Array(sounds.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const audio of sounds) {
    whole.set(audio, at)
    at += audio.length
  }
  return toPcm(stretch(resampleBy(resampler, toFloat(whole)), { factor, rate: spokenRate }))
}

function told(events: readonly ESpeakEvent[], factor: number): EspeakSpoken {
  const words: { at: number; ms: number }[] = []
  const phonemes: { text: string; ms: number; word: number }[] = []
  for (const { type, text_position, audio_position, id } of events) {
    const ms = Math.max(0, audio_position) / factor
    if (type === 'word') words.push({ at: Math.max(0, text_position - 1), ms })
    if (type === 'phoneme') phonemes.push({ text: String(id ?? ''), ms, word: words.length - 1 })
  }
  return { words, phonemes }
}
