import { away, terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import type { Defect } from './digest.ts'
import type { Model, ModelSource } from './model.ts'

interface Trouble {
  readonly defect: Defect
  readonly place: string | undefined
  /** The operator's own folder: nothing of ours is written there. */
  readonly isModelDir: boolean
}

/** Why a model cannot be used: the model, the file, the place, and what to do. */
export function explain(model: Model, trouble: Trouble): FailureError {
  const { place, defect } = trouble
  const where = place === undefined ? '' : ` in ${place}`
  const file = `model ${model.id}: the file ${defect.file.path}`
  if (defect.kind === 'missing') return terminal('not_found', `${file} is missing${where}; ${adviceOn(model)}`)
  const advice = trouble.isModelDir ? `replace it there${orFetch(model)}` : adviceOn(model)
  return terminal('conflict', `${file}${where} is corrupt, ${defect.reason}; ${advice}`)
}

export function noCache({ id }: Model, cacheDir: string, error: unknown): FailureError {
  const reason = error instanceof Error ? error.message : String(error)
  return away(
    'models_unavailable',
    `model ${id}: it cannot be kept in ${cacheDir} (${reason}); name a folder in VAAK_CACHE that can be written to`,
    error,
  )
}

export function isFetched({ source }: Model): boolean {
  return source.kind === 'package' || source.kind === 'hub'
}

function adviceOn(model: Model): string {
  const byHand = `put it into MODEL_DIR/${model.folder}/`
  if (isFetched(model)) return `run "vaak models fetch ${model.id}", or ${byHand}`
  if (model.source.kind === 'repository')
    return `it comes with the repository: check out infra/speech/models/${model.folder} again, or ${byHand}`
  if (model.source.kind === 'own')
    return `a Whisper export of your own has ${model.files.map(({ path }) => path).join(', ')}`
  return `${byHand} ("vaak models fetch ${model.id}" has no source for it yet)`
}

function orFetch(model: Model): string {
  return isFetched(model) ? `, or remove MODEL_DIR/${model.folder}/ and run "vaak models fetch ${model.id}"` : ''
}

export function sourceInWords(source: ModelSource): string {
  switch (source.kind) {
    case 'package':
      return `npm ${source.name}@${source.version}`
    case 'hub':
      return `hub ${source.repository}@${source.revision.slice(0, 7)}`
    case 'repository':
      return 'repository'
    case 'folder':
    case 'own':
      return 'MODEL_DIR'
  }
}
