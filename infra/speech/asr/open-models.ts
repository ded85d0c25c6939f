import { terminal } from '../../../actors/failure.ts'
import { languageCodes } from '../../../actors/transcript/state.ts'
import type { LocatedModel } from '../models/model.ts'
import type { ModelStore } from '../models/store.ts'
import { lazily } from '../threads/lazily.ts'
import type { Lazy } from '../threads/lazily.ts'
import { openCtcRecogniser } from './ctc/recogniser.ts'
import { isWhisper, moonshineFiles, whisperFiles } from './files.ts'
import { bytesOfFiles, memoryBytes, whisperLanes } from './lanes.ts'
import { detectorModel, languageModel } from './profiles.ts'
import type { ProfileModels } from './profiles.ts'
import type { Recogniser } from './recogniser.ts'
import type { RouterModels } from './task.ts'
import { openThreaded } from './threaded.ts'
import { openThreadedDetector } from './whisper/detector.ts'
import type { LanguageDetector } from './whisper/identify.ts'

interface ModelsOptions {
  readonly store: ModelStore
  /** Chunks that are heard at the same time: one thread each. */
  readonly cores: number
  /** Gets the model if it is not here, and tells a person so. */
  fetch(id: string): Promise<void>
}

/** Every model is opened when the first chunk needs it, and once, however many profiles use it. */
export interface Models {
  /** Asked for all that will be used before any is opened: how large a model is opened depends on who uses it. */
  of(wanted: ProfileModels): RouterModels
  close(): Promise<void>
}

export function openModels(options: ModelsOptions): Models {
  const recognisers = new Map<string, Lazy<Recogniser>>()
  const roles: Roles = { first: new Set(), other: new Set() }
  const detector = lazily(() => openDetector(options))

  function recogniser(id: string): Promise<Recogniser> {
    const known = recognisers.get(id) ?? lazily(() => openModel(options, id, roles))
    recognisers.set(id, known)
    return known.get()
  }

  async function close(): Promise<void> {
    await Promise.all([detector, ...recognisers.values()].map((one) => one.close()))
  }

  return {
    of(wanted) {
      const { first, hindi, english, other } = wanted
      for (const id of [first, hindi ?? first, english]) roles.first.add(id)
      roles.other.add(other)
      const idFor = new Map([
        ['hi', hindi ?? first],
        ['en', english],
      ])
      return {
        again: hindi === undefined ? ['en'] : ['hi', 'en'],
        first: () => recogniser(first),
        recogniser: (language) => recogniser(idFor.get(language) ?? other),
        fallback: () => recogniser(other),
        detector: () => detector.get(),
        close,
      }
    },
    close,
  }
}

/** Makes sure that the model is here, and of the kind that knows every language. */
export async function locateWhisper(
  options: Pick<ModelsOptions, 'store' | 'fetch'>,
  id: string,
): Promise<LocatedModel> {
  await options.fetch(id)
  const located = await options.store.locate(id)
  if (isWhisper(located)) return located
  throw terminal('invalid_request', `model ${id} is no Whisper model; "vaak models list" shows those that there are`)
}

/** What models are for, in whatever profile: an opened one serves them all. */
interface Roles {
  readonly first: Set<string>
  readonly other: Set<string>
}

async function openModel(options: ModelsOptions, id: string, roles: Roles): Promise<Recogniser> {
  // a second opinion is rare: a copy of the model for every core would cost more memory than it saves time
  const lanes = roles.first.has(id) ? options.cores : 1
  if (roles.other.has(id)) return openWhisper(await locateWhisper(options, id), lanes)
  await options.fetch(id)
  const located = await options.store.locate(id)
  if (isWhisper(located)) return openWhisper(located, lanes)
  if (id.startsWith('vaak-hinglish')) return openHinglish(options, located, lanes)
  return openThreaded({ kind: 'moonshine', options: { id, files: moonshineFiles(located), threads: 1 }, lanes })
}

async function openWhisper(located: LocatedModel, cores: number): Promise<Recogniser> {
  const { id } = located
  const modelBytes = await bytesOfFiles(Object.values(located.files))
  const { lanes, threads } = whisperLanes({ modelBytes, cores, memoryBytes: memoryBytes() })
  const options = { id, files: whisperFiles(located), threads, languages: languageCodes }
  try {
    return await openThreaded({ kind: 'whisper', options, lanes })
  } catch (error) {
    if (located.checked || !(error instanceof Error)) throw error
    throw terminal('conflict', `model ${id}: its files cannot be used as a Whisper model: ${error.message}`, error)
  }
}

async function openHinglish(options: ModelsOptions, located: LocatedModel, lanes: number): Promise<Recogniser> {
  const lm = await options.store.locate(languageModel)
  return openCtcRecogniser({
    id: located.id,
    modelPath: fileOf(located.files, '.onnx'),
    vocabularyPath: fileOf(located.files, 'vocab.json'),
    lmPath: fileOf(lm.files, 'lm.bin'),
    workers: lanes,
    threadsEach: 1,
  })
}

async function openDetector(options: ModelsOptions): Promise<LanguageDetector> {
  await options.fetch(detectorModel)
  const files = whisperFiles(await options.store.locate(detectorModel))
  return openThreadedDetector({ files, threads: 1 })
}

function fileOf(files: Readonly<Record<string, string>>, ending: string): string {
  const found = Object.entries(files).find(([path]) => path.endsWith(ending))
  if (!found) throw new Error(`the model has no file ${ending}`)
  return found[1]
}
