import { z } from 'zod'

import type { BatchState } from '../../actors/batch/state.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { failure } from '../wire.ts'
import { bodyOf, jsonDocument, jsonLines } from './json-stream.ts'
import { mergedFiles, rawJobs } from './listing.ts'
import type { ListingPorts } from './listing.ts'
import { ownedBatch } from './read.ts'
import { batchDocument, downloadQuery } from './result-schemas.ts'
import { batchPath, notFoundBody } from './schemas.ts'
import { filesMatching, filesWithJobs } from './select.ts'

const contentTypes = { ndjson: 'application/x-ndjson', json: 'application/json' } as const

export function downloadRoute(ports: ListingPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/download/batch/{batch_id}',
    id: 'downloadBatch',
    summary: 'Download the results of a batch',
    description:
      'Everything in one answer, as fast as it is read: NDJSON has one file a line (with `raw=true` one job), `json` is one document. An answer that ends without its proper end was broken off: ask again.',
    access: 'user',
    params: batchPath,
    query: downloadQuery,
    responses: {
      200: {
        description: 'The files or jobs, in the order of the submission.',
        schema: batchDocument,
        otherwise: { [contentTypes.ndjson]: z.string() },
      },
      400: { description: 'The id or a query parameter is wrong.', schema: failure },
      401: { description: 'The token is missing or invalid.', schema: failure },
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
      503: { description: 'A dependency is away; see Retry-After.', schema: failure },
    },
    async handle({ principal, params, query }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (!batch) return notFound('batch')
      const list = await listOf(ports, batch, query)
      const name = query.raw ? 'jobs' : 'files'
      const parts =
        query.format === 'json' ? jsonDocument({ batch_id: batch.batchId }, { name, list }) : jsonLines(list)
      const filename = `${batch.batchId}.${query.format}`
      return {
        status: 200,
        body: await bodyOf(parts),
        headers: {
          'Content-Type': `${contentTypes[query.format]}; charset=utf-8`,
          // both forms of RFC 6266: the name is an id, so they say the same
          'Content-Disposition': `attachment; filename="${filename}"; filename*=UTF-8''${encodeURIComponent(filename)}`,
        },
      }
    },
  })
}

async function listOf(
  ports: ListingPorts,
  batch: BatchState,
  query: z.output<typeof downloadQuery>,
): Promise<AsyncIterable<object>> {
  const filter = query.status
  if (query.raw) return rawJobs(ports, batch, { indexes: filesWithJobs(batch, filter), filter })
  return mergedFiles(ports, batch, { indexes: await filesMatching(ports, batch, filter), filter, wish: query })
}
