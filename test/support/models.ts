import { dirname, join } from 'node:path'

import { bundledModels } from '../../infra/speech/models/bundled.ts'
import type { LocatedModel } from '../../infra/speech/models/model.ts'
import { openModelStore } from '../../infra/speech/models/store.ts'

/** A real model, fetched on the first run of the tests and kept for the next, out of reach of git. */
export function aFetchedModel(id: string): Promise<LocatedModel> {
  const checkout = dirname(dirname(dirname(bundledModels())))
  return openModelStore({ cacheDir: join(checkout, '.vaak', 'models') }).fetch(id)
}
