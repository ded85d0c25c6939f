import type { IncomingMessage } from 'node:http'

import { FailureError, terminal } from '../../actors/failure.ts'
import type { Caller, KeyScope } from '../../actors/identity.ts'
import type { Owner } from '../../actors/ids.ts'
import type { OpenedShareLink, ShareLinks } from '../../actors/share-link/ports.ts'
import type { Rates } from '../rates.ts'
import type { Turns } from '../request-turns.ts'
import type { Route } from '../route.ts'
import { bearerToken, demandScope } from './authenticate.ts'

/** What decides who comes in. */
export interface AdmitPorts {
  readonly authenticate: (request: IncomingMessage, takesSecrets?: boolean) => Promise<Caller>
  /** Absent: links open nothing. */
  readonly shareLinks?: Pick<ShareLinks, 'open'>
  /** Absent: nobody is held back. */
  readonly rates?: Rates
  readonly turns: Turns
}

/** Who it is stays known when they are refused afterwards. */
interface Arriving {
  readonly req: IncomingMessage
  readonly state: { caller?: Caller; shared?: OpenedShareLink }
}

interface Door extends Pick<Route, 'access' | 'takesSecrets'> {
  /** Undefined where nobody is asked which user they are. */
  readonly scope: KeyScope | undefined
}

interface Admitted {
  readonly caller: Caller
  /** What a share link opened. */
  readonly shared: OpenedShareLink | undefined
}

/** Stands for the caller of a public route; owns nothing. */
const nobody: Caller = Object.freeze({ principal: { owner: '' as Owner, subject: '' } }) // as: public routes read no records

/** Lets a request begin when its turn has come, or refuses it. */
export async function admitCaller(
  ports: AdmitPorts,
  arriving: Arriving,
  { access, scope, takesSecrets }: Door,
): Promise<Admitted> {
  // what anybody may read costs time, too
  if (access === 'public') ports.rates?.fromAddress(arriving.req.socket.remoteAddress ?? '')
  return {
    caller: scope === undefined ? nobody : await admitUser(ports, arriving, { scope, takesSecrets }),
    shared: access === 'link' ? await admitLink(ports, arriving) : undefined,
  }
}

async function admitUser(
  { authenticate, rates, turns }: AdmitPorts,
  { req, state }: Arriving,
  { scope, takesSecrets }: { readonly scope: KeyScope; readonly takesSecrets: true | undefined },
): Promise<Caller> {
  rates?.fromAddress(req.socket.remoteAddress ?? '')
  const caller = await authenticate(req, takesSecrets)
  state.caller = caller
  demandScope(caller, scope)
  rates?.byUser(caller.principal.owner)
  await turns.next(caller.principal.owner)
  return caller
}

/** Somebody with a share link, whoever they are: their turns are those of whoever shared it. */
async function admitLink({ rates, shareLinks, turns }: AdmitPorts, { req, state }: Arriving): Promise<OpenedShareLink> {
  rates?.fromAddress(req.socket.remoteAddress ?? '')
  const text = bearerToken(req)
  if (!shareLinks) throw terminal('unauthenticated', 'Share links open nothing here.')
  const shared = await shareLinks.open(text)
  state.shared = shared
  rates?.byShareLink(shared.link.linkId)
  await turns.next(shared.run.owner)
  return shared
}

/** Such a refusal comes late: who asks again at once would make us do nothing but refuse. */
export function isTooOften(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code === 'too_many_requests'
}
