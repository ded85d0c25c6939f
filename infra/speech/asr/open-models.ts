import { FailureError, terminal } from '../../../actors/failure.ts'
import type { LocatedModel } from '../models/model.ts'
import type { ModelStore } from '../models/store.ts'
import { openCtcRecogniser } from './ctc/recogniser.ts'
import { isWhisper, moonshineFiles, whisperFiles } from './files.ts'
import { bytesOfFiles, memoryBytes, whisperLanes } from './lanes.ts'
import { detectorModel } from './profiles.ts'
import type { ProfileModels } from './profiles.ts'
import type { Recogniser } from './recogniser.ts'
import type { RouterModels } from './router.ts'
import { openThreaded } from './threaded.ts'
import { openThreadedDetector } from './whisper/detector.ts'
import type { LanguageDetector } from './whisper/identify.ts'

export interface ModelsOptions {
  readonly store: ModelStore
  readonly models: ProfileModels
  /** Chunks that are heard at the same time: one thread each. */
  readonly cores: number
  /** Gets the model if it is not here, and tells a person so. */
  fetch(id: string): Promise<void>
}

const languages = ['hi', 'en'] as const
/** What the model that knows every language may be heard as; more choice makes more mistakes. */
const otherLanguages = ['hi', 'en', 'ta', 'te', 'bn', 'mr', 'gu', 'kn', 'ml', 'pa', 'ur']

/** The models of a profile, each opened when the first chunk needs it. */
export function openModels(options: ModelsOptions): RouterModels {
  const wanted = options.models
  const open = new Map<string, Promise<Recogniser>>()
  let detector: Promise<LanguageDetector> | undefined
  let hindi: Promise<string> | undefined

  const once = (id: string): Promise<Recogniser> => {
    const known = open.get(id)
    if (known) return known
    const opening = openModel(options, id)
    open.set(id, opening)
    return opening
  }

  return {
    languages,
    async recogniser(language) {
      if (language === 'hi') return once(await (hindi ??= firstAtHand(options.store, wanted.hindi)))
      return once(language === 'en' ? wanted.english : wanted.other)
    },
    fallback: () => once(wanted.other),
    detector: () => (detector ??= openDetector(options)),
    async close() {
      const opened = await Promise.allSettled([...open.values(), ...(detector ? [detector] : [])])
      await Promise.all(opened.filter((one) => one.status === 'fulfilled').map(({ value }) => value.close()))
    },
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
  const { english, other } = options.models
  // a second opinion is rare: a copy of the model for every core would cost more memory than it saves time
  const lanes = id === other && id !== english ? 1 : options.cores
  if (isWhisper(located)) return openWhisper(located, lanes)
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
  return openThreaded({ kind: 'moonshine', options: { id, files: moonshineFiles(located), threads: 1 }, lanes })
}

async function openWhisper(located: LocatedModel, cores: number): Promise<Recogniser> {
  const { id } = located
  const modelBytes = await bytesOfFiles(Object.values(located.files))
  const { lanes, threads } = whisperLanes({ modelBytes, cores, memoryBytes: memoryBytes() })
  const options = { id, files: whisperFiles(located), threads, languages: otherLanguages }
  try {
    return await openThreaded({ kind: 'whisper', options, lanes })
  } catch (error) {
    if (located.checked || !(error instanceof Error)) throw error
    throw terminal('conflict', `model ${id}: its files cannot be used as a Whisper model: ${error.message}`, error)
  }
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
