import { join } from 'node:path'

import { terminal } from '../../../actors/failure.ts'
import { bringFiles, sizeOfFiles } from './bring-files.ts'
import type { BringOptions } from './bring-files.ts'
import { modelCache } from './cache.ts'
import { catalogue as knownModels } from './catalogue.ts'
import { fileChecks } from './digest.ts'
import type { Defect } from './digest.ts'
import { isFetched, sourceInWords } from './explain.ts'
import type { FetchProgress, LocatedModel, Model } from './model.ts'
import { ownModels } from './own-models.ts'
import { modelPlaces } from './places.ts'
import type { Finding, PlaceOptions } from './places.ts'

export interface ModelStoreOptions extends PlaceOptions {
  /** Where fetched models are kept. */
  readonly cacheDir: string
  /** The npm registry; pacote's default when left out. */
  readonly registry?: string
  /** The address of the hub, or of a mirror of it; the public one when left out. */
  readonly hub?: string
  readonly catalogue?: readonly Model[]
  readonly retryDelayMs?: number
}

export interface ModelStore {
  /** Paths of files whose sha256 has been checked, where there is one. Never fetches: what is missing is a failure that says what to do. */
  locate(id: string): Promise<LocatedModel>
  /** Makes sure that the model is here. Costs nothing when it is. */
  fetch(id: string, onProgress?: (progress: FetchProgress) => void, signal?: AbortSignal): Promise<LocatedModel>
  list(): Promise<readonly ListedModel[]>
  /** Removes a fetched model; true when there was one. MODEL_DIR and the repository are not touched. */
  remove(id: string): Promise<boolean>
}

export interface ListedModel {
  readonly id: string
  readonly languages: readonly string[]
  readonly licence: string
  readonly sizeBytes: number
  readonly source: string
  /** `corrupt`: at least one file is not what it should be. `unchecked`: nothing says what they should be. */
  readonly state: 'ready' | 'absent' | 'corrupt' | 'unchecked'
  readonly folder?: string
  readonly measured?: string
}

const defaultRetryDelayMs = 1000

export function openModelStore(options: ModelStoreOptions): ModelStore {
  const check = fileChecks()
  const inFlight = new Map<string, Promise<void>>()
  const cache = modelCache({ cacheDir: options.cacheDir, check })
  const places = modelPlaces({ options, cachedAt: (model) => cache.folderOf(model), check })
  // read anew each time: a worker lives long, and an operator mends MODEL_DIR meanwhile
  const models = () => allModels(options)

  async function locate(id: string): Promise<LocatedModel> {
    const model = modelOf(await models(), id)
    const { place = '', defect } = await places.find(model)
    if (defect) throw places.troubleWith(model, place, defect)
    const paths = model.files.map(({ path }) => [path, join(place, ...path.split('/'))])
    const isCached = place === cache.folderOf(model)
    return {
      id,
      files: Object.fromEntries(paths),
      checked: isChecked(model),
      sha256: Object.fromEntries(model.files.map(({ path, sha256 }) => [path, sha256])),
      ...(isCached && { cachedIn: { folder: place, digest: model.files.map(({ sha256 }) => sha256).join(' ') } }),
    }
  }

  /** Who asks for a model that somebody here fetches already waits for that one. */
  async function installOnce(model: Model, how: Pick<BringOptions, 'onProgress' | 'signal'>): Promise<void> {
    const bring = (folder: string): Promise<void> =>
      bringFiles(model, folder, { retryDelayMs: defaultRetryDelayMs, ...options, ...how })
    const running =
      inFlight.get(model.id) ?? cache.install(model, bring).finally(() => inFlight.delete(model.id))
    inFlight.set(model.id, running)
    await running
  }

  return {
    locate,
    async fetch(id, onProgress = () => {}, signal) {
      const model = modelOf(await models(), id)
      const { place, defect } = await places.find(model)
      if (!defect) return locate(id)
      if (!isFetched(model) || (defect.kind === 'corrupt' && place !== cache.folderOf(model)))
        throw places.troubleWith(model, place, defect)
      await installOnce(model, { onProgress, ...(signal && { signal }) })
      return locate(id)
    },
    list: async () => Promise.all((await models()).map(async (model) => listed(model, await places.find(model)))),
    remove: async (id) => cache.remove(modelOf(await models(), id)),
  }
}

async function allModels({ catalogue = knownModels, modelDir }: ModelStoreOptions): Promise<readonly Model[]> {
  return modelDir === undefined ? catalogue : [...catalogue, ...(await ownModels(modelDir, catalogue))]
}

function modelOf(models: readonly Model[], id: string): Model {
  const model = models.find((candidate) => candidate.id === id)
  if (model) return model
  const known = models.map((candidate) => candidate.id).join(', ')
  throw terminal('not_found', `there is no model ${id}; the catalogue has ${known}`)
}

function listed(model: Model, { place, defect }: Finding): ListedModel {
  return {
    id: model.id,
    languages: model.languages,
    licence: model.licence,
    sizeBytes: sizeOfFiles(model.files),
    source: sourceInWords(model.source),
    state: stateOf(model, defect),
    ...(model.measured !== undefined && { measured: model.measured }),
    ...(place !== undefined && defect?.kind !== 'missing' && { folder: place }),
  }
}

function stateOf(model: Model, defect: Defect | undefined): ListedModel['state'] {
  if (defect) return defect.kind === 'corrupt' ? 'corrupt' : 'absent'
  return isChecked(model) ? 'ready' : 'unchecked'
}

function isChecked({ files }: Model): boolean {
  return files.every(({ sha256 }) => sha256 !== null)
}
