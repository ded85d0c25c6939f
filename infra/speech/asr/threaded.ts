import { z } from 'zod'

import { openWorkerPool } from '../threads/pool.ts'
import type { MoonshineOptions } from './moonshine/moonshine.ts'
import type { ListenedVocabulary, Recogniser, Transcript } from './recogniser.ts'
import { refuseLong, refuseLanguage } from './refuse.ts'
import { transcriptSchema } from './transcript-schema.ts'
import type { WhisperOptions } from './whisper/whisper.ts'

type ThreadedOptions = (
  | { readonly kind: 'whisper'; readonly options: WhisperOptions }
  | { readonly kind: 'moonshine'; readonly options: MoonshineOptions }
) & {
  /** Threads that each hold the model and take a clip (or a batch) at a time. */
  readonly lanes: number
}

interface LaneRequest {
  readonly clips: readonly Float32Array[]
  readonly language?: string
  readonly hotwords?: readonly string[]
}

/** A recogniser that computes on threads of its own, so that the event loop stays free. */
export async function openThreaded(threaded: ThreadedOptions): Promise<Recogniser> {
  const { kind, options, lanes } = threaded
  const pool = await openWorkerPool<LaneRequest | 'describe', unknown>({
    entry: new URL('./lane.js', import.meta.url),
    workerData: { kind, options },
    size: lanes,
    holdsModel: true,
    load: (request) => {
      if (request === 'describe') return { request, moved: [] }
      const clips = request.clips.map((clip) => clip.slice())
      return { request: { ...request, clips }, moved: clips.map(({ buffer }) => buffer) }
    },
    decode: (answer) => answer,
  })
  const { languages, windowSeconds } = descriptionSchema.parse(await pool.run('describe'))
  const width = kind === 'whisper' ? (options.batch ?? 1) : 1

  return {
    id: options.id,
    languages,
    windowSeconds,
    async transcribe(clips, { language, hotwords: terms = [], vocabulary, signal }) {
      const hotwords = promptWords(terms, vocabulary)
      refuseLanguage(options.id, languages, language)
      for (const clip of clips) refuseLong(clip, windowSeconds)
      const transcripts: Transcript[] = []
      await Promise.all(
        groupsOf(clips, width).map(async (indices) => {
          const request: LaneRequest = {
            clips: indices.map((index) => clips[index]!),
            ...(language === undefined ? {} : { language }),
            ...(hotwords.length > 0 && { hotwords }),
          }
          const answers = z.array(transcriptSchema).parse(await pool.run(request, signal))
          for (const [at, index] of indices.entries()) transcripts[index] = answers[at]!
        }),
      )
      return transcripts
    },
    close: () => pool.close(),
  }
}

/** More of them would not fit into what such a model reads before it writes. */
const promptWordsMax = 100

/** Of thousands, those that are listened for most. */
function promptWords(hotwords: readonly string[], vocabulary: ListenedVocabulary | undefined): string[] {
  if (!vocabulary) return [...hotwords]
  const strongest = vocabulary.words.toSorted((one, other) => other.weight - one.weight).map(({ text }) => text)
  return [...hotwords, ...strongest].slice(0, Math.max(promptWordsMax, hotwords.length))
}

const descriptionSchema = z.object({ languages: z.array(z.string()), windowSeconds: z.number() })

/** Longest first, so that no thread starts on the longest when the others are done; similar lengths side by side. */
function groupsOf(clips: readonly Float32Array[], width: number): number[][] {
  const order = clips.map((_, index) => index).sort((a, b) => clips[b]!.length - clips[a]!.length)
  return Array.from({ length: Math.ceil(order.length / width) }, (_, at) => order.slice(at * width, (at + 1) * width))
}
