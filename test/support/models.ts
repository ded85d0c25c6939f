import { join } from 'node:path'

import type { LocatedModel } from '../../infra/speech/models/model.ts'
import { openModelStore } from '../../infra/speech/models/store.ts'
import { cacheFolderForTests } from './nats.ts'

/** A real model, fetched on the first run of the tests and kept for the next, out of reach of git. */
export function aFetchedModel(id: string): Promise<LocatedModel> {
  return openModelStore({ cacheDir: join(cacheFolderForTests(), 'models') }).fetch(id)
}
