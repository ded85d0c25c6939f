import { join, resolve } from 'node:path'

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
