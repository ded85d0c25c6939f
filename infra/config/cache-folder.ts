import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

import type { Config, Environment } from './config.ts'

/** Where fetched programs and models are kept between runs and between checkouts. */
export function cacheFolder(input: {
  readonly configured: string | undefined // VAAK_CACHE
  readonly xdgCacheHome: string | undefined // XDG_CACHE_HOME
  readonly home: string
}): string {
  if (input.configured) return resolve(input.configured)
  // The XDG specification: a relative value is invalid and is ignored.
  if (input.xdgCacheHome?.startsWith('/')) return join(input.xdgCacheHome, 'vaak')
  return join(input.home, '.cache', 'vaak')
}

export function cacheFolderOf(input: {
  readonly config: Pick<Config, 'cacheDir'>
  readonly environment: Environment
}): string {
  return cacheFolder({
    configured: input.config.cacheDir,
    xdgCacheHome: input.environment['XDG_CACHE_HOME'],
    home: homedir(),
  })
}
