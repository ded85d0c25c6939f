import { z } from 'zod'

import type { PublicKeys } from '../actors/identity.ts'
import { route } from './route.ts'
import type { Route } from './route.ts'
import { badQuery, takesNothing } from './wire.ts'

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) }).meta({ id: 'JsonWebKeySet' })

/** So that another program can check the receipts of this service and, on this machine, the tokens that `vaak token` makes. */
export function jwksRoute(publicKeys: () => PublicKeys): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path: '/.well-known/jwks.json',
    id: 'getPublicKeys',
    summary: 'The public keys of this service',
    description:
      'What receipts of transcripts are checked against and, where there is a development issuer, tokens of `vaak token`. An identity provider of your own serves the keys of its tokens itself.',
    access: 'public',
    responses: { 200: { description: 'A JSON Web Key Set.', schema: keySet }, 400: badQuery },
    async handle() {
      return { status: 200, body: publicKeys() }
    },
  })
}
