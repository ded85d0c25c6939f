import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { bringFiles, sizeOfFiles } from './bring-files.ts'
import type { BringOptions } from './bring-files.ts'
import { bundledModels } from './bundled.ts'
import { catalogue as knownModels } from './catalogue.ts'
import { fileChecks } from './digest.ts'
import type { Defect } from './digest.ts'
import { explain, isFetched, noCache, sourceInWords } from './explain.ts'
import type { FetchProgress, LocatedModel, Model } from './model.ts'
import { ownModels } from './own-models.ts'

export interface ModelStoreOptions {
  /** Where fetched models are kept. */
  readonly cacheDir: string
  /** Filled in advance by the operator, looked at first, never written to: for machines without a network. */
  readonly modelDir?: string
  /** Where the files of the repository are; found from this module when left out. */
  readonly bundledDir?: string
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
const abandonedMs = 60 * 60 * 1000

export function openModelStore(options: ModelStoreOptions): ModelStore {
  const check = fileChecks()
  const inFlight = new Map<string, Promise<void>>()
  const cachedAt = (model: Model) => join(options.cacheDir, 'ready', model.folder)
  // read anew each time: a worker lives long, and an operator mends MODEL_DIR meanwhile
  const models = () => allModels(options)

  function placesOf(model: Model): string[] {
    const places = options.modelDir === undefined ? [] : [join(options.modelDir, model.folder)]
    if (model.source.kind === 'repository') places.push(join(options.bundledDir ?? bundledModels(), model.folder))
    if (isFetched(model)) places.push(cachedAt(model))
    return places
  }

  /** The first place that has all files counts; a damaged file there is reported rather than passed over. */
  async function find(model: Model): Promise<Finding> {
    let missing: Finding = { place: undefined, defect: { kind: 'missing', file: model.files[0]! } }
    for (const place of placesOf(model)) {
      const defect = await check(model, place)
      if (defect?.kind !== 'missing') return { place, defect }
      missing = { place, defect }
    }
    return missing
  }

  function troubleWith(model: Model, place: string | undefined, defect: Defect): FailureError {
    const isModelDir = options.modelDir !== undefined && place === join(options.modelDir, model.folder)
    return explain(model, { place, defect, isModelDir })
  }

  async function locate(id: string): Promise<LocatedModel> {
    const model = modelOf(await models(), id)
    const { place = '', defect } = await find(model)
    if (defect) throw troubleWith(model, place, defect)
    const paths = model.files.map(({ path }) => [path, join(place, ...path.split('/'))])
    return { id, files: Object.fromEntries(paths), checked: isChecked(model) }
  }

  async function install(model: Model, how: Pick<BringOptions, 'onProgress' | 'signal'>): Promise<void> {
    const halfway = join(options.cacheDir, 'incoming')
    const incoming = join(halfway, `${model.folder}-${randomUUID()}`)
    await mkdir(halfway, { recursive: true }).catch((error: unknown) => {
      throw noCache(model, options.cacheDir, error)
    })
    await sweep(halfway)
    try {
      await bringFiles(model, incoming, { retryDelayMs: defaultRetryDelayMs, ...options, ...how })
      const defect = await check(model, incoming)
      if (defect) throw troubleWith(model, incoming, defect)
      await putInPlace(incoming, model)
    } finally {
      await rm(incoming, { recursive: true, force: true })
    }
  }

  /** One rename makes the whole model appear. Whoever comes second finds a audio one and leaves it alone. */
  async function putInPlace(incoming: string, model: Model): Promise<void> {
    const target = cachedAt(model)
    await mkdir(join(options.cacheDir, 'ready'), { recursive: true })
    if (await renamed(incoming, target)) return
    if (!(await check(model, target))) return
    const damaged = `${incoming}-damaged`
    await renamed(target, damaged)
    await renamed(incoming, target)
    await rm(damaged, { recursive: true, force: true })
  }

  return {
    locate,
    fetch: async (id, onProgress = () => {}, signal) => {
      const model = modelOf(await models(), id)
      const { place, defect } = await find(model)
      if (!defect) return locate(id)
      if (!isFetched(model) || (defect.kind === 'corrupt' && place !== cachedAt(model)))
        throw troubleWith(model, place, defect)
      const running =
        inFlight.get(id) ?? install(model, { onProgress, ...(signal && { signal }) }).finally(() => inFlight.delete(id))
      inFlight.set(id, running)
      await running
      return locate(id)
    },
    list: async () => Promise.all((await models()).map(async (model) => listed(model, await find(model)))),
    remove: async (id) => {
      const folder = cachedAt(modelOf(await models(), id))
      const discarded = join(options.cacheDir, 'incoming', `removed-${randomUUID()}`)
      await mkdir(join(options.cacheDir, 'incoming'), { recursive: true })
      const was = await renamed(folder, discarded)
      await rm(discarded, { recursive: true, force: true })
      return was
    },
  }
}

async function allModels({ catalogue = knownModels, modelDir }: ModelStoreOptions): Promise<readonly Model[]> {
  return modelDir === undefined ? catalogue : [...catalogue, ...(await ownModels(modelDir, catalogue))]
}

interface Finding {
  readonly place: string | undefined
  readonly defect: Defect | undefined
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

/** What a killed process left half unpacked. Unpacking takes seconds, so an hour is far from any that still runs. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const facts = await stat(join(folder, name)).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > abandonedMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** False when there is nothing to rename, or something else already has the name. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}
