import { z } from 'zod'

import type { Ids } from '../../actors/ports.ts'
import type { Batches } from '../../actors/services.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, failure } from '../wire.ts'
import { ownedBatch } from './read.ts'
import type { BatchReadPorts } from './read.ts'
import { batchAccepted, batchPath, notFoundBody } from './schemas.ts'
import { inSeconds } from './status.ts'
import { placeOf, presentSubmitted } from './submit.ts'

interface RetryRoutePorts extends Pick<BatchReadPorts, 'batches'> {
  readonly submissions: Batches
  readonly ids: Ids
}

export function retryRoute(ports: RetryRoutePorts): Route {
  return route({
    method: 'post',
    path: '/transcribe/batch/{batch_id}/retry',
    id: 'retryBatch',
    summary: 'Try again what failed',
    description:
      'Submits the files of a batch that failed or have gaps once more, as a batch of its own with the same options. Of a file that has gaps only the chunks that failed are transcribed again, as long as their sound is kept (SAVE_AUDIO_DATA). The batch itself stays as it ended and says `retried_as`; results of a file are those of its newest transcription.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    responses: {
      200: {
        description: 'A new batch, accepted like any other; `Location` is where to watch it.',
        schema: batchAccepted,
      },
      400: badQuery,
      401: badToken,
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
      409: {
        description: 'The batch, or its newest retry, is still under way; or nothing in it failed.',
        schema: failure,
      },
      429: { description: 'Your quota is used up; see Retry-After.', schema: failure },
      503: { description: 'The queue is full, or a dependency is away; see Retry-After.', schema: failure },
    },
    async handle({ principal, params }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (!batch) return notFound('batch')
      const retried = await ports.submissions.retry(batch, ports.ids.nextBatchId())
      const note = { estimated_completion_seconds: inSeconds(retried.secondsUntilDone) }
      return {
        status: 200,
        body: presentSubmitted(retried.batch, retried.members, note),
        headers: { Location: placeOf(retried.batch.batchId) },
      }
    },
  })
}
