import { setMaxListeners } from 'node:events'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Analyst } from '../analysis/analyst.ts'
import type { Transcript } from '../asr/recogniser.ts'
import type { Router } from '../asr/router.ts'
import type { RecogniseOptions, Routed } from '../asr/task.ts'
import type { Punctuator } from '../punctuation/punctuator.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import type { ChannelChunk } from './cut.ts'
import { lookAgain } from './look-again.ts'

export interface ChunkModels {
  readonly router: Router
  readonly punctuator: Punctuator
  readonly analyst: Analyst
}

/** Words in what is only suspected to be speech are kept from here: noise that comes out as letters stays below 0.1. */
const surelyWords = 0.3

/** The words of one chunk, and what its audio says besides. */
export async function transcribeChunk(
  parts: ChunkModels,
  audio: ChannelChunk,
  options: RecogniseOptions,
): Promise<TranscribedChunk> {
  const { chunk, channel, samples, speech } = audio
  // every clip that waits for a thread listens: many at once are no leak
  if (options.signal) setMaxListeners(0, options.signal)
  const transcribe = (clip: Float32Array): Promise<Routed> => parts.router.transcribe(clip, options)
  const inClip = speech.map(({ start, end }) => ({ start: start - chunk.start, end: end - chunk.start }))
  const routed = await parts.router.transcribe(samples, { ...options, speech: inClip })
  const { words: found, confidence } = routed.transcript
  if (audio.unsure === true && (found.length === 0 || confidence < surelyWords))
    return {
      ...noWords(audio, routed),
      measures: await parts.analyst.measure(samples, chunk.start / recogniserRate, []),
    }
  const { transcript, unheard } = await lookAgain(transcribe, audio, routed)
  const words = await parts.punctuator.punctuate(transcript.words, options.signal)
  const measures = await parts.analyst.measure(samples, chunk.start / recogniserRate, words)
  return { chunk, channel, model: routed.model, transcript: { ...transcript, words }, speech, unheard, measures }
}

/** Voice activity was not sure, and neither is the recogniser: this was no speech. */
function noWords({ chunk, channel }: ChannelChunk, { transcript, model }: Routed): Omit<TranscribedChunk, 'measures'> {
  const silent: Transcript = { ...transcript, text: '', words: [], flags: [...transcript.flags, 'not speech'] }
  return { chunk, channel, model, transcript: silent, speech: [], unheard: [] }
}
