import { FailureError, sentenceOf } from '../../../actors/failure.ts'
import { cacheFolderOf } from '../../config/cache-folder.ts'
import type { Config } from '../../config/config.ts'
import type { ListedModel, ModelStore } from '../../speech/models/store.ts'
import { voiceModels } from '../../speech/models/voice-models.ts'
import type { GivenArguments } from '../command.ts'
import { errorInWords } from '../error-in-words.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Examination, Diagnosis } from './diagnosis.ts'

const neverFetched = new Set(['repository', 'MODEL_DIR'])

/** Those that the settings use: there, of the right bytes, and of a kind that the runtime opens. */
export function lookAtModels(given: GivenArguments): Examination {
  const { config } = given
  return {
    about: 'models',
    async look() {
      if (config.recogniser === 'scripted')
        return [doubtful('models', 'RECOGNISER is scripted: nothing is transcribed.', 'Unset it; it is for tests.')]
      const { openStore } = await import('../../speech/models/open-store.ts')
      const store = openStore({ cacheDir: cacheFolderOf(given), modelDir: config.modelDir, hub: config.hubAddress })
      const listed = new Map((await store.list()).map((model) => [model.id, model]))
      const diagnoses: Diagnosis[] = []
      for (const id of await modelsInUse(config, listed)) diagnoses.push(await lookAtModel(store, id, listed.get(id)))
      return diagnoses
    },
  }
}

async function modelsInUse(config: Config, listed: ReadonlyMap<string, ListedModel>): Promise<string[]> {
  const { modelsFor, usesOf } = await import('../../speech/asr/profiles.ts')
  const speaks =
    config.ttsEngine === 'neural' ||
    (config.ttsEngine === 'auto' && voiceModels.every(({ id }) => listed.get(id)?.state !== 'absent'))
  return [
    ...usesOf(modelsFor(config.asrProfile, config.whisperModel)).keys(),
    ...(speaks ? voiceModels.map(({ id }) => id) : []),
  ]
}

async function lookAtModel(store: ModelStore, id: string, listed: ListedModel | undefined): Promise<Diagnosis> {
  const check = `models.${id}`
  if (listed?.state === 'absent' && !neverFetched.has(listed.source))
    return doubtful(check, 'It is not here yet; it is fetched when it is first needed.', `vaak models fetch ${id}`)
  try {
    const { files, checked } = await store.locate(id)
    for (const path of Object.values(files)) if (path.endsWith('.onnx')) await openOnce(path)
    const trust = checked ? 'its sha256 is right' : 'nobody vouches for its bytes'
    return healthy(check, `It is here and can be opened; ${trust}.`)
  } catch (error) {
    if (!(error instanceof FailureError))
      return broken(check, `It cannot be opened: ${errorInWords(error)}`, 'Put another export of it into MODEL_DIR.')
    return broken(check, sentenceOf(error.failure), `Mend it as it says; "vaak models list" shows all of them.`)
  }
}

async function openOnce(path: string): Promise<void> {
  const { openOnnxSession } = await import('../../speech/asr/session.ts')
  const session = await openOnnxSession(path, 1)
  await session.release()
}
