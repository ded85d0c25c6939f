import { z } from 'zod'

import { secretKinds } from '../../actors/identity.ts'
import type { IssueSecret, SecretKind } from '../../actors/identity.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway, failure, takesNothing } from '../wire.ts'

const bodyMaxBytes = 256 * 1024

/** For the document: what a session may say is decided where sessions are, and so are these bodies. */
const expiry = z
  .looseObject({})
  .optional()
  .describe('`{"anchor": "created_at", "seconds": 600}`: for how long new sessions may be opened with it, 10 to 7200.')
const bounds = {
  locked: z.unknown().optional().describe('`true`: clients cannot change the model, instructions and tools.'),
  max_session_seconds: z.unknown().optional().describe('How long each session may last.'),
}
const presentBody = z
  .looseObject({
    expires_after: expiry,
    session: z.looseObject({}).optional().describe('What sessions begin with, as in `session.update`.'),
    ...bounds,
  })
  .meta({
    id: 'ClientSecretRequest',
    examples: [
      {
        expires_after: { anchor: 'created_at', seconds: 600 },
        session: { type: 'realtime', instructions: 'You take orders for a sweet shop.', vaak: { keep: true } },
        locked: true,
        max_session_seconds: 1800,
      },
    ],
  })
const olderBody = z
  .looseObject({
    client_secret: z.looseObject({ expires_after: expiry }).nullish(),
    ...bounds,
  })
  .meta({
    id: 'SessionRequest',
    examples: [{ client_secret: { expires_after: { anchor: 'created_at', seconds: 600 } }, max_session_seconds: 1800 }],
  })

const presentAnswer = z
  .looseObject({ value: z.string(), expires_at: z.number(), session: z.looseObject({ id: z.string() }) })
  .meta({ id: 'ClientSecret' })
const olderAnswer = z
  .looseObject({ id: z.string(), client_secret: z.strictObject({ value: z.string(), expires_at: z.number() }) })
  .meta({ id: 'SessionWithSecret' })

const named: Readonly<Record<SecretKind, { readonly id: string; readonly summary: string }>> = {
  client_secrets: { id: 'makeClientSecret', summary: 'Make an ephemeral token for a browser' },
  sessions: { id: 'makeSession', summary: 'Make an ephemeral token (older clients)' },
  transcription_sessions: {
    id: 'makeTranscriptionSession',
    summary: 'Make an ephemeral token for transcription (older clients)',
  },
}

/** A server asks with its key and gives the answer to its browser, which opens realtime sessions with it and nothing else. */
export function secretRoutes(issueSecret: IssueSecret): Route[] {
  return secretKinds.map((kind) =>
    route({
      method: 'post',
      path: `/v1/realtime/${kind}`,
      ...named[kind],
      description:
        'The token (`ek_…`) carries what its sessions begin with. It is signed and not stored: any node accepts it until it expires, or until the API key that made it does or is revoked. The realtime port answers the same request.',
      access: 'user',
      ...takesNothing,
      body: {
        contentType: 'application/json',
        schema: kind === 'client_secrets' ? presentBody : olderBody,
        description: 'What sessions begin with, and for how long they may be opened.',
        maxBytes: bodyMaxBytes,
      },
      responses: {
        200: {
          description: 'The token and its session.',
          schema: kind === 'client_secrets' ? presentAnswer : olderAnswer,
        },
        400: { description: 'The session or its bounds are wrong; `detail` says which field.', schema: failure },
        401: badToken,
        408: { description: 'The body arrived too slowly.', schema: failure },
        413: { description: 'The body, or the token that it would make, is too large.', schema: failure },
        415: { description: 'The body is not JSON.', schema: failure },
        503: dependencyAway,
      },
      handle: async ({ caller, body }) => ({ status: 200, body: await issueSecret(kind, caller, body) }),
    }),
  )
}
