import { FailureError } from '../../../actors/failure.ts'
import { languageCodes } from '../../../actors/transcript/state.ts'
import { lazily } from '../lazily.ts'
import type { Lazy } from '../lazily.ts'
import type { ModelStore } from '../models/store.ts'
import { openCtcRecogniser } from './ctc/recogniser.ts'
import { moonshineFiles, whisperFiles } from './files.ts'
import { detectorModel, modelsOf } from './profiles.ts'
import type { Profile } from './profiles.ts'
import type { Recogniser } from './recogniser.ts'
import type { RouterModels } from './router.ts'
import { openThreaded } from './threaded.ts'
import { openThreadedDetector } from './whisper/detector.ts'
import type { LanguageDetector } from './whisper/identify.ts'

export interface ModelsOptions {
  readonly store: ModelStore
  /** Chunks that are heard at the same time: one thread each. */
  readonly cores: number
  /** Gets the model if it is not here, and tells a person so. */
  fetch(id: string): Promise<void>
}

/** Every model is opened when the first chunk needs it, and once, however many profiles use it. */
export interface Models {
  of(profile: Profile): RouterModels
  close(): Promise<void>
}

const languages = ['hi', 'en'] as const

export function openModels(options: ModelsOptions): Models {
  const recognisers = new Map<string, Lazy<Recogniser>>()
  const detector = lazily(() => openDetector(options))

  function recogniser(id: string): Promise<Recogniser> {
    const known = recognisers.get(id) ?? lazily(() => openModel(options, id))
    recognisers.set(id, known)
    return known.get()
  }

  async function close(): Promise<void> {
    await Promise.all([detector, ...recognisers.values()].map((one) => one.close()))
  }

  return {
    of(profile) {
      const wanted = modelsOf[profile]
      let hindi: string | undefined
      return {
        languages,
        async recogniser(language) {
          if (language === 'hi') return recogniser((hindi ??= await firstAtHand(options.store, wanted.hindi)))
          return recogniser(language === 'en' ? wanted.english : wanted.other)
        },
        fallback: () => recogniser(wanted.other),
        detector: () => detector.get(),
        close,
      }
    },
    close,
  }
}

/** Looks no further than it must: whether a model is here is known when all of it has been read. */
async function firstAtHand(store: ModelStore, ids: readonly string[]): Promise<string> {
  for (const id of ids.slice(0, -1)) if (await isAtHand(store, id)) return id
  return ids.at(-1)!
}

async function isAtHand(store: ModelStore, id: string): Promise<boolean> {
  try {
    await store.locate(id)
    return true
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found') return false
    throw error
  }
}

async function openModel(options: ModelsOptions, id: string): Promise<Recogniser> {
  await options.fetch(id)
  const located = await options.store.locate(id)
  // a second opinion is rare: a copy of the model for every core would cost more memory than it saves time
  const lanes = isFirstChoice(id) ? options.cores : 1
  if (id.startsWith('vaak-hindi')) {
    const lm = await options.store.locate('vaak-hindi-lm')
    return openCtcRecogniser({
      id,
      language: 'hi',
      modelPath: fileOf(located.files, '.onnx'),
      vocabularyPath: fileOf(located.files, 'vocab.json'),
      lmPath: fileOf(lm.files, 'lm.bin'),
      workers: lanes,
      threadsEach: 1,
    })
  }
  if (id.startsWith('moonshine'))
    return openThreaded({ kind: 'moonshine', options: { id, files: moonshineFiles(located), threads: 1 }, lanes })
  const whisper = { id, files: whisperFiles(located), threads: 1, languages: languageCodes }
  return openThreaded({ kind: 'whisper', options: whisper, lanes })
}

/** In any profile: an opened model serves them all. */
function isFirstChoice(id: string): boolean {
  return Object.values(modelsOf).some(({ hindi, english }) => english === id || hindi.includes(id))
}

async function openDetector(options: ModelsOptions): Promise<LanguageDetector> {
  await options.fetch(detectorModel)
  const files = whisperFiles(await options.store.locate(detectorModel))
  return openThreadedDetector({ files, threads: 1 }, options.cores)
}

function fileOf(files: Readonly<Record<string, string>>, ending: string): string {
  const found = Object.entries(files).find(([path]) => path.endsWith(ending))
  if (!found) throw new Error(`the model has no file ${ending}`)
  return found[1]
}
