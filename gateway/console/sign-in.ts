import { z } from 'zod'

import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, takesNothing } from '../wire.ts'

/** Where people sign in by OpenID Connect, and as what the console comes there: nothing of it is secret. */
export interface SignInProvider {
  /** To the letter, as tokens name it. */
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  /** What the issuer needs besides, to make a token for this service. */
  readonly parameters: Readonly<Record<string, string>>
}

const body = z
  .strictObject({
    provider: z
      .strictObject({
        issuer: z.string().describe('Its description is below it, at `/.well-known/openid-configuration`.'),
        client_id: z.string(),
        scope: z.string(),
        parameters: z.record(z.string(), z.string()).describe('What else a request to sign in has.'),
      })
      .optional()
      .describe('Absent where people paste a token.'),
  })
  .meta({ id: 'SignIn' })

/** For the console, which is the same for everyone until somebody signs in. Before `/console/{name}`. */
export function signInRoute(provider: SignInProvider | undefined): Route {
  const answer = provider && {
    issuer: provider.issuer,
    client_id: provider.clientId,
    scope: provider.scope,
    parameters: provider.parameters,
  }
  return route({
    ...takesNothing,
    method: 'get',
    path: '/console/sign-in',
    id: 'signIn',
    summary: 'Where people sign in',
    description: 'For the console: the OpenID provider whose tokens are taken here, if people can sign in there.',
    access: 'public',
    responses: { 200: { description: 'The provider, if there is one.', schema: body }, 400: badQuery },
    handle: () => Promise.resolve({ status: 200, body: answer ? { provider: answer } : {} }),
  })
}
