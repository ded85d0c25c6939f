import { createHmac, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { Identify, SessionSecrets } from '../../actors/identity.ts'
import type { Clock } from '../../actors/ports.ts'
import { principalWith } from './principal.ts'

interface SessionSecretsOptions {
  readonly key: Buffer
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Clients send a secret in a header, and servers and proxies bound those. */
const secretMaxBytes = 6 * 1024
const prefix = 'ek_'

/** Short names: they travel in a header. */
const contentSchema = z.strictObject({
  o: z.string(),
  e: z.number(),
  k: z.string().optional(),
  g: z.strictObject({
    kind: z.enum(['realtime', 'transcription']),
    model: z.string().optional(),
    session: z.unknown().optional(),
    locked: z.boolean().optional(),
    sessionSeconds: z.number().optional(),
  }),
})

/** Signed, not stored: any node with the same key knows them. Whether the API key still stands that made one is not asked here. */
export function openSessionSecrets({ key, clock }: SessionSecretsOptions): SessionSecrets & { identify: Identify } {
  const sign = (content: string): Buffer => createHmac('sha256', key).update(content).digest()
  return {
    async make({ principal, grant, untilMs, keyId: k }) {
      const said = { o: principal.owner, e: untilMs, ...(k !== undefined && { k }), g: grant }
      const content = Buffer.from(JSON.stringify(said)).toString('base64url')
      const secret = `${prefix}${content}.${sign(content).toString('base64url')}`
      if (secret.length > secretMaxBytes)
        throw terminal(
          'too_large',
          `The session would make a secret of ${secret.length} bytes, and at most ${secretMaxBytes} fit into a header. ` +
            'Shorten its instructions and tools, or send them with session.update.',
        )
      return secret
    },
    async identify(credential) {
      const [content = '', signature = '', ...rest] = credential.slice(prefix.length).split('.')
      const given = Buffer.from(signature, 'base64url')
      const expected = sign(content)
      if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
        throw terminal('unauthenticated', 'The session secret was not made here, or was changed on its way.')
      const { o, e, k, g } = contentSchema.parse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')))
      if (e <= clock.nowMs())
        throw terminal('unauthenticated', 'The session secret has expired. Ask for a new one with client_secrets.')
      const { model, session, locked, sessionSeconds } = g
      return {
        principal: principalWith(o, ''),
        untilMs: e,
        ...(k !== undefined && { keyId: k }),
        grant: {
          kind: g.kind,
          ...(model !== undefined && { model }),
          ...(session !== undefined && { session }),
          ...(locked !== undefined && { locked }),
          ...(sessionSeconds !== undefined && { sessionSeconds }),
        },
      }
    },
  }
}
