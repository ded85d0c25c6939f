import { z } from 'zod'

import { acceptedBatch, standingOfBatch, statusOf } from '../../actors/batch/state.ts'
import type { BatchState, BatchStatus } from '../../actors/batch/state.ts'
import { madeAtMs } from '../../actors/ids.ts'
import type { BatchListing, ListedBatchStatus } from '../../actors/listing/ports.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway, failure, limitField } from '../wire.ts'
import type { BatchReadPorts } from './read.ts'
import { batchList, batchStatuses } from './schemas.ts'
import type { ListedBatchBody } from './schemas.ts'
import { cursorField, cursorTo, momentField, stretchOf } from './walk-query.ts'

export interface ListBatchesPorts extends Pick<BatchReadPorts, 'batches'> {
  readonly batchListing: BatchListing
}

const query = z.strictObject({
  limit: limitField('Most batches a page.'),
  cursor: cursorField,
  status: z.enum(batchStatuses).optional().describe('Only batches that are so far.'),
  from: momentField('Only batches that were submitted at this time or later.'),
  to: momentField('Only batches that were submitted before this time.'),
})

export function listBatchesRoute(ports: ListBatchesPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/batches',
    id: 'listBatches',
    summary: 'List batches',
    description:
      'Your batches, newest first. A page may have fewer than `limit` of them, also none, and there are more as long as it has a `next_cursor`. What is submitted meanwhile moves nothing: who follows the cursors sees each batch once.',
    access: 'user',
    params: z.strictObject({}),
    query,
    responses: {
      200: { description: 'One page of batches.', schema: batchList },
      400: { description: 'A query parameter is wrong.', schema: failure },
      401: badToken,
      503: dependencyAway,
    },
    async handle({ principal, query: { limit, cursor, status, from, to } }) {
      const { ids, next } = await ports.batchListing.walk(principal.owner, {
        limit,
        ...stretchOf({ cursor, from, to }),
        status: status && listedStatusOf(status),
      })
      const found = await ports.batches.readMany(ids)
      const batches = ids
        .map((batchId) => acceptedBatch(found.get(batchId)))
        // the list may be a moment behind the record; a filter must not show what no longer matches it
        .filter((batch) => batch !== undefined && (status === undefined || statusOf(batch) === status))
        .map((batch) => presentListed(batch!))
      return {
        status: 200,
        body: { limit, count: batches.length, batches, ...(next && { next_cursor: cursorTo(next) }) },
      }
    },
  })
}

function presentListed(batch: BatchState): ListedBatchBody {
  const { batchId, finishedAtMs, retryOf, retriedAs } = batch
  return {
    ...standingOfBatch(batch),
    // by which it is found, too
    created_at: new Date(madeAtMs(batchId)).toISOString(),
    ...(finishedAtMs !== undefined && { finished_at: new Date(finishedAtMs).toISOString() }),
    ...(retryOf !== undefined && { retry_of: retryOf }),
    ...(retriedAs !== undefined && { retried_as: retriedAs }),
  }
}

function listedStatusOf(status: BatchStatus): ListedBatchStatus {
  return status === 'queued' || status === 'processing' ? 'open' : status
}
