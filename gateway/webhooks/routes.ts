import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { Owner } from '../../actors/ids.ts'
import type { Webhooks } from '../../actors/services.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import { ownedBatch } from '../batches/read.ts'
import type { BatchReadPorts } from '../batches/read.ts'
import { batchPath, notFoundBody } from '../batches/schemas.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure, idText, takesNothing } from '../wire.ts'

export interface WebhookRoutePorts extends Pick<BatchReadPorts, 'batches'> {
  readonly callbacks: Webhooks
  /** What a user's calls are signed with, as text. */
  webhookSecretOf(owner: Owner): Promise<string>
}

const instant = z.string().meta({ format: 'date-time' })
const webhookStanding = z
  .strictObject({
    batch_id: idText,
    callback_url: z.string(),
    status: z
      .enum(['pending', 'waiting', 'delivered', 'given_up'])
      .describe('`pending` until the batch ends; `waiting` while it is being tried.'),
    round: z.int().describe('1, and one more each time that it was asked for again.'),
    attempts: z
      .array(z.strictObject({ at: instant, status: z.int().optional(), error: z.string().optional() }))
      .describe('Of this round, in order: what the server answered, or why it was not reached.'),
  })
  .meta({ id: 'WebhookStatus' })
const webhookSecret = z
  .strictObject({ secret: z.string().describe('`whsec_` and the key in base64.') })
  .meta({ id: 'WebhookSecret' })

const problems = {
  400: badQuery,
  401: badToken,
  404: { description: 'There is no such batch of yours, or it has no callback_url.', schema: notFoundBody },
  503: dependencyAway,
}

export function webhookRoutes(ports: WebhookRoutePorts): Route[] {
  return [secretRoute(ports), standingRoute(ports), resendRoute(ports)]
}

function secretRoute(ports: WebhookRoutePorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/webhooks/secret',
    id: 'getWebhookSecret',
    summary: 'Read the key that calls to you are signed with',
    description:
      'A call has the headers `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with this key, as the Standard Webhooks format has it. Refuse calls whose timestamp is minutes away from your clock.',
    access: 'user',
    ...takesNothing,
    responses: {
      200: { description: 'Yours alone; keep it to yourself.', schema: webhookSecret },
      400: badQuery,
      401: problems[401],
      503: problems[503],
    },
    async handle({ principal }) {
      return {
        status: 200,
        body: { secret: await ports.webhookSecretOf(principal.owner) },
        headers: { 'Cache-Control': 'no-store' },
      }
    },
  })
}

function standingRoute(ports: WebhookRoutePorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/webhooks/batch/{batch_id}',
    id: 'getWebhookStatus',
    summary: 'See whether a call was taken',
    description: 'What became of the call to the `callback_url` of a batch.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    responses: { 200: { description: 'How far it is.', schema: webhookStanding }, ...problems },
    async handle({ principal, params }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (batch?.callbackUrl === undefined) return notFound('batch')
      const webhook = await ports.callbacks.read(batch.batchId)
      return { status: 200, body: present(batch.batchId, batch.callbackUrl, webhook) }
    },
  })
}

function resendRoute(ports: WebhookRoutePorts): Route {
  return route({
    method: 'post',
    path: '/transcribe/webhooks/batch/{batch_id}/send',
    id: 'sendWebhookAgain',
    summary: 'Have a call made again',
    description:
      'Calls the `callback_url` of a batch that has ended once more, with the same `webhook-id`, and tries again as the first time.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    responses: {
      202: { description: 'It will be called.', schema: webhookStanding },
      ...problems,
      409: { description: 'The batch has not ended yet.', schema: failure },
    },
    async handle({ principal, params }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (batch?.callbackUrl === undefined) return notFound('batch')
      if (batch.finishedAtMs === undefined)
        throw terminal('conflict', 'The batch has not ended yet: it is called for by itself when it does.')
      const webhook = await ports.callbacks.resend(batch)
      return { status: 202, body: present(batch.batchId, batch.callbackUrl, webhook) }
    },
  })
}

function present(batchId: string, callbackUrl: string, webhook: Webhook | undefined) {
  return {
    batch_id: batchId,
    callback_url: callbackUrl,
    status: webhook?.standing ?? 'pending',
    round: webhook?.round ?? 1,
    attempts: (webhook?.attempts ?? []).map(({ atMs, status, error }) => ({
      at: new Date(atMs).toISOString(),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    })),
  }
}
