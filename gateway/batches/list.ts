import { z } from 'zod'

import { acceptedBatch, standingOfBatch, statusOf } from '../../actors/batch/state.ts'
import type { BatchState, BatchStatus } from '../../actors/batch/state.ts'
import { madeAtMs } from '../../actors/ids.ts'
import type { BatchListing, ListedBatchStatus, ListingPlace } from '../../actors/listing/ports.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway, failure, limitField } from '../wire.ts'
import type { BatchReadPorts } from './read.ts'
import { batchList, batchStatuses } from './schemas.ts'
import type { ListedBatchBody } from './schemas.ts'

export interface ListBatchesPorts extends Pick<BatchReadPorts, 'batches'> {
  readonly batchListing: BatchListing
}

const moments = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const cursorPattern = /^(\d{1,9})(?:\.([0-9a-f-]{36}))?$/

const query = z.strictObject({
  limit: limitField('Most batches a page.'),
  cursor: z
    .string()
    .regex(cursorPattern, 'is not a cursor: expected `next_cursor` of an earlier page')
    .optional()
    .describe('`next_cursor` of the page before. The other parameters stay as they were.'),
  status: z.enum(batchStatuses).optional().describe('Only batches that are so far.'),
  from: moment('Only batches that were submitted at this time or later.'),
  to: moment('Only batches that were submitted before this time.'),
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
        after: cursor === undefined ? undefined : placeOf(cursor),
        status: status && listedStatusOf(status),
        fromMs: from === undefined ? undefined : Date.parse(from),
        toMs: to === undefined ? undefined : Date.parse(to),
      })
      const found = await ports.batches.readMany(ids)
      const batches = ids
        .map((batchId) => acceptedBatch(found.get(batchId)))
        // the list may be a moment behind the record; a filter must not show what no longer matches it
        .filter((batch) => batch !== undefined && (status === undefined || statusOf(batch) === status))
        .map((batch) => presentListed(batch!))
      return {
        status: 200,
        body: { limit, count: batches.length, batches, ...(next && { next_cursor: cursorOf(next) }) },
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

/** It names a place in the caller's own list and nothing else, so that nobody gains by making one up. */
function cursorOf({ page, id }: ListingPlace): string {
  return id === undefined ? String(page) : `${page}.${id}`
}

function placeOf(cursor: string): ListingPlace {
  const [, page, id] = cursorPattern.exec(cursor) ?? []
  return { page: Number(page), ...(id !== undefined && { id }) }
}

function moment(about: string) {
  return z
    .string()
    .refine(isMoment, 'expected a date, such as 2026-11-16, or a time, such as 2026-11-16T12:00:00Z')
    .optional()
    .describe(`${about} A date is its beginning in UTC.`)
}

function isMoment(text: string): boolean {
  return moments.safeParse(text).success
}
