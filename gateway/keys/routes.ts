import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { keyLimits } from '../../actors/identity.ts'
import type { OwnKey, OwnKeys } from '../../actors/identity.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badId, badToken, dependencyAway, failure, nothingTaken, takesNothing } from '../wire.ts'

const instant = z.string().meta({ format: 'date-time' })
const shownKey = {
  id: z.string().describe('The part of the key that is no secret.'),
  label: z.string(),
  created_at: instant,
  expires_at: instant.optional().describe('Absent when it holds until it is revoked.'),
}
const keyList = z.strictObject({ keys: z.array(z.strictObject(shownKey)) }).meta({ id: 'ApiKeys' })
const newKey = z
  .strictObject({ ...shownKey, key: z.string().describe('Shown here and never again: only a hash of it is kept.') })
  .meta({ id: 'NewApiKey' })
const wanted = z
  .strictObject({
    label: z
      .string()
      .max(keyLimits.labelCharacters)
      .regex(/^\P{C}*$/u, 'has characters that cannot be printed')
      .default('')
      .describe('What it is for.'),
    days: z.int().min(1).max(keyLimits.days).optional().describe('After how many days it stops working.'),
  })
  .meta({ id: 'ApiKeyRequest' })

const problems = {
  401: badToken,
  403: { description: 'The caller has an API key. Keys are seen to with a token.', schema: failure },
  503: dependencyAway,
}

export function keyRoutes(keys: OwnKeys): Route[] {
  return [listRoute(keys), makeRoute(keys), revokeRoute(keys)]
}

function listRoute(keys: OwnKeys): Route {
  return route({
    method: 'get',
    path: '/v1/keys',
    id: 'listApiKeys',
    summary: 'List your API keys',
    description: 'The oldest first, without their secret parts.',
    access: 'person',
    ...takesNothing,
    responses: { 200: { description: 'Yours alone.', schema: keyList }, 400: nothingTaken, ...problems },
    async handle({ principal }) {
      return { status: 200, body: { keys: (await keys.listOf(principal.owner)).map(present) } }
    },
  })
}

function makeRoute(keys: OwnKeys): Route {
  return route({
    method: 'post',
    path: '/v1/keys',
    id: 'makeApiKey',
    summary: 'Make an API key',
    description:
      'An API key acts for you wherever a token does, here and in realtime sessions, until it expires or is revoked. It cannot make, list or revoke keys.',
    access: 'person',
    ...takesNothing,
    body: { contentType: 'application/json', schema: wanted, description: 'Both may be left out.' },
    responses: {
      201: { description: 'The key; keep it where secrets are kept.', schema: newKey },
      400: { description: 'The body is not of this form.', schema: failure },
      409: { description: 'You have as many keys as a user may have.', schema: failure },
      413: { description: 'The body is too large.', schema: failure },
      415: { description: 'The body is not JSON.', schema: failure },
      ...problems,
    },
    async handle({ principal, body: { label, days } }) {
      const made = await keys.make({ principal, label, ...(days !== undefined && { days }) })
      return { status: 201, body: { ...present(made), key: made.key }, headers: { 'Cache-Control': 'no-store' } }
    },
  })
}

function revokeRoute(keys: OwnKeys): Route {
  return route({
    method: 'delete',
    path: '/v1/keys/{key_id}',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'It stops working at once, and realtime sessions that it opened are ended.',
    access: 'person',
    params: z.strictObject({
      key_id: z
        .string()
        .regex(/^[0-9a-f]{16}$/, 'is not the id of a key: expected 16 hexadecimal digits')
        .describe('As the list of your keys has it.'),
    }),
    query: z.strictObject({}),
    responses: {
      200: { description: 'It is revoked.', schema: z.strictObject({ id: z.string() }).meta({ id: 'RevokedApiKey' }) },
      400: badId,
      404: { description: 'You have no such key.', schema: failure },
      ...problems,
    },
    async handle({ principal, params: { key_id: id } }) {
      if (!(await keys.revokeOf(principal.owner, id))) throw terminal('not_found', 'You have no such API key.')
      return { status: 200, body: { id } }
    },
  })
}

function present({ id, label, createdAtMs, untilMs }: OwnKey) {
  return {
    id,
    label,
    created_at: new Date(createdAtMs).toISOString(),
    ...(untilMs !== undefined && { expires_at: new Date(untilMs).toISOString() }),
  }
}
