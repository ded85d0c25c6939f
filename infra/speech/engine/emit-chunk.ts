import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { packRows } from '../align/emissions.ts'
import type { Emissions } from '../align/emissions.ts'
import { piecesFor } from '../asr/in-pieces.ts'
import type { ClipEmissions, Recogniser } from '../asr/recogniser.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import type { Chunk } from '../vad/plan.ts'
import type { ChannelChunk } from './cut.ts'

/** What one chunk sounds like, letter by letter: no words, which somebody else knows. */
export async function emitChunk(
  recogniser: Recogniser,
  audio: ChannelChunk,
  signal: AbortSignal,
): Promise<TranscribedChunk> {
  if (!recogniser.emissions) throw new Error(`the model ${recogniser.id} does not hear letter by letter`)
  const { chunk, channel, samples, speech } = audio
  const inClip = speech.map(({ start, end }) => ({ start: start - chunk.start, end: end - chunk.start }))
  const pieces = piecesFor(recogniser, samples, inClip)
  const heard = await recogniser.emissions(
    pieces.map(({ start, end }) => samples.subarray(start, end)),
    signal,
  )
  const emissions = pieces.flatMap((piece, at) => ownPart(heard[at]!, inRecording(piece, chunk)))
  const transcript = { text: '', language: 'und', confidence: 1, logProb: 0, noSpeech: 0, words: [], flags: [] }
  const nothing = { unheard: [], measures: { segments: [], laughing: [] } }
  return { chunk, channel, model: recogniser.id, transcript, speech, ...nothing, emissions }
}

/** What a piece answers for, of that what its chunk does. */
function inRecording(piece: Chunk, chunk: Chunk): Chunk {
  return {
    start: chunk.start + piece.start,
    end: chunk.start + piece.end,
    ownStart: Math.max(chunk.start + piece.ownStart, chunk.ownStart),
    ownEnd: Math.min(chunk.start + piece.ownEnd, chunk.ownEnd),
  }
}

/** Without the frames that its neighbours answer for. */
function ownPart({ symbols, logProbs, secondsAFrame }: ClipEmissions, piece: Chunk): Emissions[] {
  const frames = logProbs.length / symbols.length
  const frameAt = (sample: number): number =>
    Math.min(Math.max(Math.round((sample - piece.start) / recogniserRate / secondsAFrame), 0), frames)
  if (frames === 0) return []
  const [first, last] = [frameAt(piece.ownStart), frameAt(piece.ownEnd)]
  if (last <= first) return []
  const rows = packRows(logProbs.subarray(first * symbols.length, last * symbols.length))
  return [{ symbols, start: piece.start / recogniserRate + first * secondsAFrame, secondsAFrame, rows }]
}
