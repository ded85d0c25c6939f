import { z } from 'zod'

import type { PublicKeys } from '../actors/identity.ts'
import { terminal } from '../actors/failure.ts'
import { route } from './route.ts'
import type { Route } from './route.ts'
import { badQuery, failure, takesNothing } from './wire.ts'

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) }).meta({ id: 'JsonWebKeySet' })

/** So that another program on this machine can check the tokens that `vaak token` makes. */
export function jwksRoute(developmentKeys: (() => PublicKeys) | undefined): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path: '/.well-known/jwks.json',
    id: 'developmentKeys',
    summary: 'The keys of the development issuer',
    description: 'What tokens of `vaak token` are checked against. An identity provider of your own serves its own.',
    access: 'public',
    responses: {
      200: { description: 'A JSON Web Key Set.', schema: keySet },
      400: badQuery,
      404: { description: 'Tokens come from an identity provider, which has the keys.', schema: failure },
    },
    async handle() {
      if (!developmentKeys) throw terminal('not_found', 'Tokens come from an identity provider: JWKS_URL has its keys.')
      return { status: 200, body: developmentKeys() }
    },
  })
}
