import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Seconds } from '../analysis/prosody.ts'
import type { Transcript, Word } from '../asr/recogniser.ts'
import type { Routed } from '../asr/task.ts'
import { wordlessSpeech } from '../transcript/coverage.ts'
import type { Unheard, UnheardReason } from '../transcript/unheard.ts'
import type { ChannelChunk } from './cut.ts'

const aroundSeconds = 0.2
/** A rest that is nearly all of the clip would only be heard as the clip was. */
const wholeShare = 0.8
const noiseFlags = new Set(['no-speech', 'not speech', 'silent'])

/**
 * Where voice activity found speech and no word was written, that part is heard once more by itself: a recogniser leaves
 * out a quiet voice beside a loud one. What stays without words is said to be so, with the reason.
 */
export async function lookAgain(
  transcribe: (samples: Float32Array) => Promise<Routed>,
  audio: Pick<ChannelChunk, 'chunk' | 'samples' | 'speech'>,
  { transcript }: Routed,
): Promise<{ transcript: Transcript; unheard: Unheard[] }> {
  const { chunk, samples, speech } = audio
  const inClip = speech.map(({ start, end }) => ({
    start: (start - chunk.start) / recogniserRate,
    end: (end - chunk.start) / recogniserRate,
  }))
  const unheard: Unheard[] = []
  const found: Word[] = []
  for (const rest of wordlessSpeech(inClip, transcript.words)) {
    const heard = isWhole(rest, samples) ? transcript : await transcribeRest(transcribe, samples, rest)
    found.push(...heard.words)
    for (const span of wordlessSpeech([rest], heard.words)) unheard.push({ ...span, reason: reasonOf(heard) })
  }
  const offset = chunk.start / recogniserRate
  return {
    transcript: found.length === 0 ? transcript : withWords(transcript, found),
    unheard: unheard.map(({ start, end, reason }) => ({ start: start + offset, end: end + offset, reason })),
  }
}

function isWhole({ start, end }: Seconds, samples: Float32Array): boolean {
  return (end - start) * recogniserRate >= wholeShare * samples.length
}

/** Its words have times in the clip, and none lies outside the rest, where others have been heard. */
async function transcribeRest(
  transcribe: (samples: Float32Array) => Promise<Routed>,
  samples: Float32Array,
  rest: Seconds,
): Promise<Transcript> {
  const from = Math.max(0, rest.start - aroundSeconds)
  const audio = samples.subarray(
    Math.round(from * recogniserRate),
    Math.round((rest.end + aroundSeconds) * recogniserRate),
  )
  const { transcript, model } = await transcribe(audio)
  const words = transcript.words
    .map((word) => ({ ...word, model: word.model ?? model, start: word.start + from, end: word.end + from }))
    .filter(({ start, end }) => (start + end) / 2 >= rest.start && (start + end) / 2 < rest.end)
    .map((word) => ({ ...word, start: Math.max(word.start, rest.start), end: Math.min(word.end, rest.end) }))
  return { ...transcript, words }
}

function withWords(transcript: Transcript, found: readonly Word[]): Transcript {
  const words = [...transcript.words, ...found].sort((one, other) => one.start - other.start)
  return { ...transcript, words, text: words.map(({ text }) => text).join(' ') }
}

function reasonOf({ words, flags }: Transcript): UnheardReason {
  if (flags.includes('other-language')) return 'other language'
  return words.length === 0 && flags.some((flag) => noiseFlags.has(flag)) ? 'noise' : 'not understood'
}
