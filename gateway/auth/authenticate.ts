import type { IncomingMessage } from 'node:http'

import { terminal } from '../../actors/failure.ts'
import type { Identify, Principal } from '../../actors/identity.ts'

type Headers = Pick<IncomingMessage, 'headersDistinct'>

const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i
const bearerScheme = /^bearer(?: |$)/i

/** Who is calling, or terminal `unauthenticated` or `forbidden` with the reason. */
export function authenticator(identify: Identify) {
  return async (request: Headers, access: 'user' | 'person'): Promise<Principal> => {
    const { principal, grant, keyId } = await identify(bearerToken(request))
    if (grant)
      throw terminal(
        'unauthenticated',
        'A session secret (ek_…) opens realtime sessions only. Use a token or an API key.',
      )
    if (access === 'person' && keyId !== undefined)
      throw terminal(
        'forbidden',
        'An API key cannot see to API keys: one that was copied could outlive itself. Use your token.',
      )
    return principal
  }
}

/** The `WWW-Authenticate` of a 401 (RFC 6750): `invalid_token` only for a caller who sent one. */
export function challengeFor(request: Headers): string {
  const tokenWasSent = authorizationsOf(request).some((value) => bearerScheme.test(value))
  return tokenWasSent ? 'Bearer error="invalid_token"' : 'Bearer'
}

function bearerToken(request: Headers): string {
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
