import type { IncomingMessage } from 'node:http'

import { terminal } from '../../actors/failure.ts'
import { credentialKind, isAllowed } from '../../actors/identity.ts'
import type { Caller, CredentialKind, Identify, KeyScope } from '../../actors/identity.ts'

type Headers = Pick<IncomingMessage, 'headersDistinct'>

const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i
const bearerScheme = /^bearer(?: |$)/i

/** Who is calling, or terminal `unauthenticated` with the reason. Session secrets count only where a route takes them. */
export function authenticator(identify: Identify) {
  return async (request: Headers, takesSecrets = false): Promise<Caller> => {
    const caller = await identify(bearerToken(request))
    if (caller.grant && !takesSecrets)
      throw terminal(
        'unauthenticated',
        'A session secret (ek_…) opens realtime sessions only. Use a token or an API key.',
      )
    return caller
  }
}

/** Terminal `forbidden` where the caller has a key that is for something else. */
export function demandScope(caller: Caller, scope: KeyScope): void {
  if (isAllowed(caller, scope)) return
  if (scope !== 'keys')
    throw terminal('forbidden', `This API key is not for this: it lacks the scope ${scope}. Use another, or a token.`)
  throw terminal(
    'forbidden',
    'An API key cannot see to API keys without the scope keys: one that was copied could outlive itself. Use your token.',
  )
}

/** The `WWW-Authenticate` of a 401 (RFC 6750): `invalid_token` only for a caller who sent one. */
export function challengeFor(request: Headers): string {
  const tokenWasSent = authorizationsOf(request).some((value) => bearerScheme.test(value))
  return tokenWasSent ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** What was shown, by its kind: nothing of it may be kept. */
export function shownKind(request: Headers): CredentialKind {
  const [authorization = ''] = authorizationsOf(request)
  return credentialKind(bearer.exec(authorization)?.[1])
}

/** What was shown, or terminal `unauthenticated` with the reason. */
export function bearerToken(request: Headers): string {
  const [authorization, ...others] = authorizationsOf(request)
  if (authorization === undefined)
    throw terminal('unauthenticated', 'This request needs a token. Send the header Authorization: Bearer <token>.')
  if (others.length > 0)
    throw terminal('unauthenticated', 'This request has more than one Authorization header. Send exactly one.')
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined)
    throw terminal('unauthenticated', 'The Authorization header is not of the form Bearer <token>.')
  return token
}

/** `headers` would keep the first of several and hide that there were more. */
function authorizationsOf(request: Headers): readonly string[] {
  return request.headersDistinct['authorization'] ?? []
}
