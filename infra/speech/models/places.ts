import { join } from 'node:path'

import type { FailureError } from '../../../actors/failure.ts'
import { bundledModels } from './bundled.ts'
import type { CheckFiles, Defect } from './digest.ts'
import { explain, isFetched } from './explain.ts'
import type { Model } from './model.ts'

export interface PlaceOptions {
  /** Filled in advance by the operator, looked at first, never written to: for machines without a network. */
  readonly modelDir?: string
  /** Where the files of the repository are; found from this module when left out. */
  readonly bundledDir?: string
}

export interface Finding {
  readonly place: string | undefined
  readonly defect: Defect | undefined
}

/** Where models may lie: the operator's folder, the repository, and what was fetched, in this order. */
interface ModelPlaces {
  /** The first place that has all files counts; a damaged file there is reported rather than passed over. */
  find(model: Model): Promise<Finding>
  troubleWith(model: Model, place: string | undefined, defect: Defect): FailureError
}

interface PlaceParts {
  readonly options: PlaceOptions
  readonly cachedAt: (model: Model) => string
  readonly check: CheckFiles
}

export function modelPlaces({ options, cachedAt, check }: PlaceParts): ModelPlaces {
  function placesOf(model: Model): string[] {
    const places = options.modelDir === undefined ? [] : [join(options.modelDir, model.folder)]
    if (model.source.kind === 'repository') places.push(join(options.bundledDir ?? bundledModels(), model.folder))
    if (isFetched(model)) places.push(cachedAt(model))
    return places
  }

  return {
    async find(model) {
      let missing: Finding = { place: undefined, defect: { kind: 'missing', file: model.files[0]! } }
      for (const place of placesOf(model)) {
        const defect = await check(model, place)
        if (defect?.kind !== 'missing') return { place, defect }
        missing = { place, defect }
      }
      return missing
    },
    troubleWith(model, place, defect) {
      const isModelDir = options.modelDir !== undefined && place === join(options.modelDir, model.folder)
      return explain(model, { place, defect, isModelDir })
    },
  }
}
