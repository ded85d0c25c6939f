import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { keyLimits, keyScopes, usualOverlapHours, usualScopes } from '../../actors/identity.ts'
import type { OwnKey, OwnKeys } from '../../actors/identity.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badId, badToken, dependencyAway, failure, nothingTaken, takesNothing, wholeNumberField } from '../wire.ts'

const instant = z.string().meta({ format: 'date-time' })
const shownKey = {
  id: z.string().describe('The part of the key that is no secret.'),
  label: z.string(),
  scopes: z.array(z.enum(keyScopes)).describe('What it may be used for.'),
  created_at: instant,
  expires_at: instant.optional().describe('Absent when it holds until it is revoked.'),
  last_used_at: instant.optional().describe('To the hour; absent when it was not used.'),
  replaced_by: z.string().optional().describe('The id of the key that was made in its place.'),
}
/** What whoever runs the service gives is not asked for here. */
const ownScopes = keyScopes.filter((scope) => scope !== 'admin')
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
    days: z
      .int()
      .min(1)
      .max(keyLimits.days)
      .optional()
      .describe('After how many days it stops working; the server has a number for who says none.'),
    scopes: z
      .array(z.enum(ownScopes))
      .min(1)
      .max(ownScopes.length)
      .optional()
      .describe(`What it may be used for: ${usualScopes.join(', ')} unless told.`),
  })
  .meta({ id: 'ApiKeyRequest' })
const rotation = z.strictObject({
  overlap_hours: wholeNumberField(0, keyLimits.overlapHours)
    .default(usualOverlapHours)
    .describe('For how long the old key goes on beside the new one.'),
})
const keyPath = z.strictObject({
  key_id: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'is not the id of a key: expected 16 hexadecimal digits')
    .describe('As the list of your keys has it.'),
})

const problems = {
  401: badToken,
  403: {
    description: 'The caller has an API key without the scope `keys`, or asks for more than that key can give.',
    schema: failure,
  },
  503: dependencyAway,
}

export function keyRoutes(keys: OwnKeys): Route[] {
  return [listRoute(keys), makeRoute(keys), rotateRoute(keys), revokeRoute(keys)]
}

function listRoute(keys: OwnKeys): Route {
  return route({
    method: 'get',
    path: '/v1/keys',
    id: 'listApiKeys',
    summary: 'List your API keys',
    description: 'The oldest first, without their secret parts.',
    access: 'user',
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
      'An API key acts for you wherever a token does, here and in realtime sessions, until it expires or is revoked, for what its scopes say. One with the scope `keys` makes keys that can do no more and last no longer than itself, without that scope, and they are revoked with it.',
    access: 'user',
    ...takesNothing,
    body: { contentType: 'application/json', schema: wanted, description: 'All may be left out.' },
    responses: {
      201: { description: 'The key; keep it where secrets are kept.', schema: newKey },
      400: { description: 'The body is not of this form.', schema: failure },
      409: { description: 'You have as many keys as a user may have.', schema: failure },
      413: { description: 'The body is too large.', schema: failure },
      415: { description: 'The body is not JSON.', schema: failure },
      ...problems,
    },
    async handle({ principal, caller, body: { label, days, scopes } }) {
      const made = await keys.make({
        principal,
        by: caller,
        label,
        ...(days !== undefined && { days }),
        ...(scopes && { scopes }),
      })
      return { status: 201, body: { ...present(made), key: made.key }, headers: { 'Cache-Control': 'no-store' } }
    },
  })
}

function rotateRoute(keys: OwnKeys): Route {
  return route({
    method: 'post',
    path: '/v1/keys/{key_id}/rotate',
    id: 'rotateApiKey',
    summary: 'Put a new API key in the place of one',
    description:
      'The new one has the same label and scopes, and lasts as long as the old one was made for. The old one goes on for a while, so that programs can be given the new one meanwhile.',
    access: 'user',
    params: keyPath,
    query: rotation,
    responses: {
      200: { description: 'The new key; keep it where secrets are kept.', schema: newKey },
      400: { description: 'The id or the hours are not of this form.', schema: failure },
      404: { description: 'You have no such key.', schema: failure },
      409: { description: 'It has expired, was replaced already, or you have too many keys.', schema: failure },
      ...problems,
    },
    async handle({ principal, caller, params: { key_id: id }, query: { overlap_hours: overlapHours } }) {
      const made = await keys.rotateOf(principal.owner, { id, overlapHours, by: caller })
      if (!made) throw terminal('not_found', 'You have no such API key.')
      return { status: 200, body: { ...present(made), key: made.key }, headers: { 'Cache-Control': 'no-store' } }
    },
  })
}

function revokeRoute(keys: OwnKeys): Route {
  return route({
    method: 'delete',
    path: '/v1/keys/{key_id}',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'It stops working at once, with the keys that were made with it, and realtime sessions that they opened are ended.',
    access: 'user',
    params: keyPath,
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

function present({ id, label, scopes, createdAtMs, untilMs, lastUsedAtMs, replacedBy }: OwnKey) {
  return {
    id,
    label,
    scopes,
    created_at: new Date(createdAtMs).toISOString(),
    ...(untilMs !== undefined && { expires_at: new Date(untilMs).toISOString() }),
    ...(lastUsedAtMs !== undefined && { last_used_at: new Date(lastUsedAtMs).toISOString() }),
    ...(replacedBy !== undefined && { replaced_by: replacedBy }),
  }
}
