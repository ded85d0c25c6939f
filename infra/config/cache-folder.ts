import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

import type { Config, Environment } from './config.ts'

/** Where fetched programs and models are kept between runs and between checkouts. */
export function cacheFolder(of: {
  readonly configured: string | undefined // VAAK_CACHE
  readonly xdgCacheHome: string | undefined // XDG_CACHE_HOME
  readonly home: string
}): string {
  if (of.configured) return resolve(of.configured)
  // The XDG specification: a relative value is invalid and is ignored.
  if (of.xdgCacheHome?.startsWith('/')) return join(of.xdgCacheHome, 'vaak')
  return join(of.home, '.cache', 'vaak')
}

export function cacheFolderOf(of: {
  readonly config: Pick<Config, 'cacheDir'>
  readonly environment: Environment
}): string {
  return cacheFolder({
    configured: of.config.cacheDir,
    xdgCacheHome: of.environment['XDG_CACHE_HOME'],
    home: homedir(),
  })
}
