import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { joinChunks } from '../transcript/join.ts'
import { energyOf } from '../vad/energy.ts'
import { defaultPlanOptions, planChunks } from '../vad/plan.ts'
import type { Chunk } from '../vad/plan.ts'
import type { Span } from '../vad/segments.ts'
import type { Recogniser, Transcript } from './recogniser.ts'

type Request = Parameters<Recogniser['transcribe']>[1] & { readonly speech?: readonly Span[] }

/** A chunk is as long as the most patient recogniser likes it; one that does better on less hears it in pieces. */
export async function transcribeInPieces(
  recogniser: Recogniser,
  clip: Float32Array,
  { speech = [], ...request }: Request,
): Promise<Transcript> {
  const pieces = piecesFor(recogniser, clip, speech)
  const transcripts = await recogniser.transcribe(
    pieces.map(({ start, end }) => clip.subarray(start, end)),
    request,
  )
  if (transcripts.length === 1) return transcripts[0]!
  const words = joinChunks(pieces.map((chunk, index) => ({ chunk, words: transcripts[index]!.words })))
  // a piece without words says nothing about how well the others were heard
  const spoken = transcripts.some((one) => one.words.length > 0)
  const weights = pieces.map(({ start, end }, index) =>
    spoken && transcripts[index]!.words.length === 0 ? 0 : (end - start) / recogniserRate,
  )
  const mean = (input: (transcript: Transcript) => number): number =>
    transcripts.reduce((sum, one, index) => sum + input(one) * weights[index]!, 0) /
    weights.reduce((sum, one) => sum + one, 0)
  return {
    text: words.map(({ text }) => text).join(' '),
    language: (transcripts.find((one) => one.words.length > 0) ?? transcripts[0]!).language,
    confidence: mean(({ confidence }) => confidence),
    logProb: mean(({ logProb }) => logProb),
    noSpeech: mean(({ noSpeech }) => noSpeech),
    words,
    flags: [...new Set(transcripts.flatMap(({ flags }) => flags))],
  }
}

/** What a recogniser hears of a clip at once. */
export function piecesFor(
  { windowSeconds, quietSeconds }: Pick<Recogniser, 'windowSeconds' | 'quietSeconds'>,
  clip: Float32Array,
  speech: readonly Span[],
): Chunk[] {
  const spans = aroundSpeech(speech, clip.length)
  const plan = { ...defaultPlanOptions, windowSeconds, speech }
  // a clip that fits is heard as it is: a recogniser hears its sentences together a little better than apart
  const isHeardApart = quietSeconds !== undefined && clip.length > windowSeconds * recogniserRate
  return isHeardApart
    ? planChunks(withoutQuiet(spans, speech, quietSeconds), energyOf(clip), { ...plan, maxSilenceSeconds: 0 })
    : planChunks(spans, energyOf(clip), plan)
}

/** The whole clip, divided in the middle of its pauses. */
function aroundSpeech(speech: readonly Span[], length: number): Span[] {
  const cuts = speech.slice(1).map(({ start }, at) => Math.round((speech[at]!.end + start) / 2))
  return [0, ...cuts].map((start, at) => ({ start, end: cuts[at] ?? length }))
}

/** Of long pauses only what is near to speech; the clip's own ends were chosen by whoever cut it. */
function withoutQuiet(spans: readonly Span[], speech: readonly Span[], quietSeconds: number): Span[] {
  const quiet = Math.round(quietSeconds * recogniserRate)
  return spans.map(({ start, end }, at) => ({
    start: at === 0 ? start : Math.max(start, speech[at]!.start - quiet),
    end: at === spans.length - 1 ? end : Math.min(end, speech[at]!.end + quiet),
  }))
}
