import { homedir } from 'node:os'

import { cacheFolder } from '../../infra/config/cache-folder.ts'
import { processEnvironment } from '../../infra/config/config.ts'
import type { ModelSources } from '../../infra/speech/models/open-store.ts'

/** Where models are found: the cache of this machine, and a folder of the operator's own. */
export function benchPlaces(modelDir = ''): Pick<ModelSources, 'cacheDir' | 'modelDir'> {
  const environment = processEnvironment()
  const cacheDir = cacheFolder({
    configured: environment['VAAK_CACHE'],
    xdgCacheHome: environment['XDG_CACHE_HOME'],
    home: homedir(),
  })
  return { cacheDir, modelDir }
}
