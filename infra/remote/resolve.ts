import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { mayBeReached } from './address.ts'
import { refusedByServer, unavailable } from './classify.ts'
import type { UrlPolicy } from './url.ts'

export interface Resolved {
  readonly address: string
  readonly family: number
}

export type Resolve = (name: string) => Promise<readonly Resolved[]>

/** As every other program of this machine resolves names, `/etc/hosts` included. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true, verbatim: true })

const notPublic =
  'The host of this URL is unknown or not public. Networks of one’s own are fetched from only when REMOTE_ALLOW_PRIVATE lists them.'

/**
 * Where a host may be connected to. One address that is not permitted condemns the name: an honest one has none, and
 * which of its addresses is used must not be luck. A name that nobody knows is tried again, since a resolver that has lost its
 * way says the same; one that is not public gets the same answer, so that nobody can ask us which names there are inside.
 */
export async function permittedAddresses(host: string, policy: UrlPolicy, resolve: Resolve): Promise<Resolved[]> {
  const family = isIP(host)
  const isName = family === 0
  const answers = isName ? await ask(host, resolve) : [{ address: host, family }]
  if (answers.length > 0 && answers.every(({ address }) => mayBeReached(address, policy.allowPrivate)))
    return [...answers]
  throw isName ? unavailable(notPublic) : refusedByServer(notPublic)
}

async function ask(host: string, resolve: Resolve): Promise<readonly Resolved[]> {
  try {
    return await resolve(host)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    if (code === undefined) throw error
    if (code === 'ENOTFOUND') return []
    throw unavailable(`The name in this URL could not be looked up (${code}).`)
  }
}
