import type { SpeechFormat, SpokenClause } from '../../actors/conversation/ports.ts'
import { openTimeline } from '../../infra/speech/audio/signal/spoken-timeline.ts'
import type { SpokenTimeline, SpokenWordTime } from '../../infra/speech/audio/signal/spoken-timeline.ts'
import { eventText } from '../events/event-stream.ts'
import type { SpeechPorts } from './ports.ts'

/** Bytes of audio in one piece of base64: whole threes, so that the pieces together are the base64 of the whole. */
const pieceBytes = 48 * 1024

interface TimedSpeech {
  readonly format: SpeechFormat
  readonly clauses: AsyncIterable<SpokenClause>
}

/** As OpenAI’s stream of this kind, with the words besides: those that a piece of audio may hold come before it. */
export async function* spokenEvents(ports: Pick<SpeechPorts, 'encode'>, speech: TimedSpeech): AsyncGenerator<string> {
  const timeline = openTimeline()
  const words: SpokenWordTime[] = []
  for await (const piece of encoded(ports, speech, { timeline, words })) {
    if (words.length > 0) yield event('speech.audio.words', { words: words.splice(0) })
    yield event('speech.audio.delta', { audio: piece })
  }
  if (words.length > 0) yield event('speech.audio.words', { words })
  yield event('speech.audio.done', { duration: timeline.seconds() })
}

/** One JSON object, written while it is spoken: only the words wait for the end. */
export async function* spokenJson(ports: Pick<SpeechPorts, 'encode'>, speech: TimedSpeech): AsyncGenerator<string> {
  const timeline = openTimeline()
  const words: SpokenWordTime[] = []
  let before = '{"audio":"'
  for await (const piece of encoded(ports, speech, { timeline, words })) {
    yield before + piece
    before = ''
  }
  const rest = JSON.stringify({ format: speech.format, duration: timeline.seconds(), words })
  yield `${before}",${rest.slice(1)}`
}

interface Timing {
  readonly timeline: SpokenTimeline
  /** Where the words of each clause are put, before any of its audio is given. */
  readonly words: SpokenWordTime[]
}

async function* encoded(
  { encode }: Pick<SpeechPorts, 'encode'>,
  { format, clauses }: TimedSpeech,
  { timeline, words }: Timing,
): AsyncGenerator<string> {
  async function* samples(): AsyncGenerator<Int16Array> {
    for await (const clause of clauses) {
      words.push(...timeline.place(clause))
      yield clause.samples
    }
  }
  let left = Buffer.alloc(0)
  for await (const chunk of encode(format, samples())) {
    left = Buffer.concat([left, chunk])
    const whole = left.length - (left.length % 3)
    for (let at = 0; at < whole; at += pieceBytes) yield left.toString('base64', at, Math.min(whole, at + pieceBytes))
    left = left.subarray(whole)
  }
  if (left.length > 0) yield left.toString('base64')
}

function event(type: string, data: object): string {
  return eventText({ event: type, data: { type, ...data } })
}
