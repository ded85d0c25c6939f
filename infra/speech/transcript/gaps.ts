import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Gap } from '../../../actors/transcript/state.ts'
import type { Seconds } from '../analysis/prosody.ts'
import type { Span } from '../vad/segments.ts'
import { wordlessSpeech } from './coverage.ts'
import { rounded } from './rounded.ts'
import { timeText } from './time-text.ts'
import type { TranscribedChunk, MissingChunk } from './transcribed-chunk.ts'

/** What became of the chunks of one channel, and the words that are left when they are joined. */
interface HeardChannel {
  readonly heard: readonly TranscribedChunk[]
  readonly missing: readonly MissingChunk[]
  readonly words: readonly Seconds[]
}

/** All speech of a channel that is not in its words: chunks that failed, and what was heard and not written down. */
export function gapsOf({ heard, missing, words }: HeardChannel): Gap[] {
  const reasons = heard.flatMap(({ unheard }) => unheard)
  const speech = heard.flatMap((chunk) => chunk.speech.map(spanInSeconds))
  const wordless = wordlessSpeech(speech, words).map(({ start, end }) => ({
    start: rounded(start),
    end: rounded(end),
    reason: reasons.find((one) => one.start < end && one.end > start)?.reason ?? 'not understood',
  }))
  return [...missing.map(failedGap), ...wordless]
}

/** For people who read the text and no JSON: where speech is not in it, and why. */
export function gapSentences(gaps: readonly Gap[]): string[] {
  return gaps.map(
    ({ start, end, reason }) => `From ${timeText(start)} to ${timeText(end)} there are no words: ${reason}.`,
  )
}

export function spanInSeconds({ start, end }: Span): Seconds {
  return { start: start / recogniserRate, end: end / recogniserRate }
}

/** Its neighbours answer for what they share with it. */
function failedGap({ chunk, index, reason }: MissingChunk): Gap {
  const { start, end } = spanInSeconds({ start: chunk.ownStart, end: chunk.ownEnd })
  return { start: rounded(start), end: rounded(end), chunk_index: index, reason }
}
