import { openCtcRecogniser } from '../../../infra/speech/asr/ctc/recogniser.ts'
import { moonshineFiles, whisperFiles } from '../../../infra/speech/asr/files.ts'
import { openMoonshine } from '../../../infra/speech/asr/moonshine/moonshine.ts'
import { languageModel } from '../../../infra/speech/asr/profiles.ts'
import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import { openThreaded } from '../../../infra/speech/asr/threaded.ts'
import { guardsOff, guardsOn } from '../../../infra/speech/asr/whisper/guards.ts'
import { openWhisper } from '../../../infra/speech/asr/whisper/whisper.ts'
import type { ModelStore } from '../../../infra/speech/models/store.ts'
import type { BenchSpeech } from '../speech.ts'
import type { Contestant, Layout } from './race.ts'

/** What all measurements of a run share. */
export interface Bench {
  readonly store: ModelStore
  readonly cacheDir: string
  readonly modelDir: string
  readonly speech: BenchSpeech
  readonly rivals: string | undefined
  readonly cores: number
}

export interface Shape {
  readonly layout: Layout
  readonly language: string
  readonly guarded: boolean
  /** Clips that a core decodes side by side. */
  readonly batch?: number
}

export async function ourWhisper(bench: Bench, id: string, shape: Shape): Promise<Contestant> {
  const files = whisperFiles(await bench.store.fetch(id))
  const decoding = shape.guarded ? { guards: guardsOn } : { guards: guardsOff, wordTimes: false }
  const options = { id, files, ...decoding, batch: shape.batch ?? 1 }
  const recogniser =
    shape.layout === 'one clip'
      ? await openWhisper({ ...options, threads: bench.cores })
      : await openThreaded({ kind: 'whisper', options: { ...options, threads: 1 }, lanes: bench.cores })
  return contestantOf(recogniser, shape)
}

export async function ourMoonshine(bench: Bench, id: string, shape: Shape): Promise<Contestant> {
  const files = moonshineFiles(await bench.store.fetch(id))
  const { guarded } = shape
  const options = { id, files, guarded, wordTimes: guarded }
  const recogniser =
    shape.layout === 'one clip'
      ? await openMoonshine({ ...options, threads: bench.cores })
      : await openThreaded({ kind: 'moonshine', options: { ...options, threads: 1 }, lanes: bench.cores })
  return contestantOf(recogniser, shape)
}

export async function ourHinglish(
  bench: Bench,
  id: string,
  decoding: 'greedy' | 'language model',
): Promise<Contestant> {
  const { files } = await bench.store.locate(id)
  const lm = await bench.store.locate(languageModel)
  const recogniser = await openCtcRecogniser({
    id,
    modelPath: Object.values(files).find((path) => path.endsWith('.onnx'))!,
    vocabularyPath: files['vocab.json']!,
    workers: bench.cores,
    threadsEach: 1,
    ...(decoding === 'language model' && { lmPath: lm.files['lm.bin']! }),
  })
  const shape: Shape = { layout: 'clip a core', language: 'hi', guarded: false }
  return { ...contestantOf(recogniser, shape), guard: decoding }
}

function contestantOf(recogniser: Recogniser, { layout, language, guarded }: Shape): Contestant {
  return {
    name: 'vaak',
    layout,
    guard: guarded ? 'all' : 'none',
    async hear(clips) {
      const transcripts = await recogniser.transcribe(clips, { language })
      return transcripts.map(({ text }) => text)
    },
    close: () => recogniser.close(),
  }
}
