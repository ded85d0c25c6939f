import { z } from 'zod'

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { terminal } from '../../../../actors/failure.ts'
import { openWorkerPool } from '../../threads/pool.ts'
import { defaultSegmentOptions } from '../../vad/segments.ts'
import type { Recogniser, Transcript } from '../recogniser.ts'
import { transcriptSchema } from '../transcript-schema.ts'
import type { CtcFiles } from './engine.ts'
import { roomForLm } from './shared-lm.ts'
import { ctcLanguages } from './transcript.ts'
import type { CtcRequest } from './worker.ts'

/** The encoder has positions for this much and no more. */
const longestSeconds = 30
/** What to ask for: the models learnt from single utterances, and longer chunks gain nothing where silence is not paid for. */
const windowSeconds = 12
/** What voice activity leaves around speech too: more of a pause costs as much as speech, and tells nothing. */
const { paddingSeconds: quietSeconds } = defaultSegmentOptions

const emissionsSchema = z.object({
  symbols: z.array(z.string()),
  logProbs: z.instanceof(Float32Array),
  secondsAFrame: z.number(),
})

export interface CtcRecogniserOptions extends CtcFiles {
  readonly id: string
  /** Clips that are computed at the same time, each on a thread of its own with a copy of the model in memory. */
  readonly workers: number
  /** Threads inside one clip's computation. */
  readonly threadsEach: number
}

/**
 * Our own models: a Whisper encoder with a head that names characters. A batch is computed clip by clip, on as many
 * threads as there are: these int8 models scale their activations by the whole tensor, so that a clip would come out
 * differently in other company, even of its own length, and larger tensors are not faster on a CPU.
 */
export async function openCtcRecogniser(options: CtcRecogniserOptions): Promise<Recogniser> {
  const { id, workers, threadsEach, ...files } = options
  const roomOfLm = files.lmPath === undefined ? undefined : await roomForLm(files.lmPath)
  const pool = await openWorkerPool<CtcRequest, unknown>({
    entry: new URL('./worker.js', import.meta.url),
    workerData: { ...files, threads: threadsEach },
    ...(roomOfLm && { shared: () => ({ lm: roomOfLm() }) }),
    size: workers,
    holdsModel: true,
    load: (request) => {
      const samples = request.samples.slice()
      return { request: { ...request, samples }, moved: [samples.buffer] }
    },
    decode: (answer) => answer,
  })
  return {
    id,
    languages: ctcLanguages,
    windowSeconds,
    quietSeconds,
    transcribe: async (clips, { hotwords = [], vocabulary, signal }) => {
      for (const clip of clips) refuseLong(clip)
      const longestFirst = clips
        .map((samples, i) => ({ samples, i }))
        .sort((a, b) => b.samples.length - a.samples.length)
      const transcripts: Transcript[] = []
      const asked = longestFirst.map(async ({ samples, i }) => {
        transcripts[i] = transcriptSchema.parse(
          await pool.run({ samples, listensFor: { hotwords, vocabulary } }, signal),
        )
      })
      await Promise.all(asked)
      return transcripts
    },
    scorePhrases: async (samples, phrases, signal) => {
      refuseLong(samples)
      return scoresSchema.parse(await pool.run({ samples, phrases }, signal))
    },
    emissions: async (clips, signal) => {
      for (const clip of clips) refuseLong(clip)
      const answers = clips.map((samples) => pool.run({ samples, wants: 'emissions' }, signal))
      return (await Promise.all(answers)).map((answer) => emissionsSchema.parse(answer))
    },
    close: () => pool.close(),
  }
}

/** A phrase that cannot have been said has no finite one. */
const scoresSchema = z.array(z.number().or(z.literal(-Infinity)))

function refuseLong(clip: Float32Array): void {
  const seconds = clip.length / recogniserRate
  if (seconds > longestSeconds)
    throw terminal('too_large', `a clip of ${seconds.toFixed(1)} s is longer than the ${longestSeconds} s of the model`)
}
