import { Readable } from 'node:stream'

import { z } from 'zod'

import type { BatchState } from '../../actors/batch/state.ts'
import { terminal } from '../../actors/failure.ts'
import type { TextFormat } from '../../actors/transcript/state.ts'
import { attachment } from '../attachment.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badToken, dependencyAway, failure } from '../wire.ts'
import { bodyOf, jsonDocument, jsonLines } from './json-stream.ts'
import { mergedFiles, rawJobs } from './listing.ts'
import type { ListingPorts } from './listing.ts'
import { ownedBatch } from './read.ts'
import { downloadQuery } from './result-schemas.ts'
import { batchDocument } from './results-page-schemas.ts'
import { batchPath, notFoundBody } from './schemas.ts'
import { filesMatching, filesWithJobs } from './select.ts'
import { ndjsonDocs, ndjsonType, textDocs } from './text-docs.ts'
import { entriesOfFiles, isTextFormat, textName, textOfFile, textsOfFiles, textTypes } from './texts.ts'
import { zip } from './zip.ts'

const contentTypes = { ndjson: ndjsonType, json: 'application/json' } as const
const zipType = 'application/zip'

export function downloadRoute(ports: ListingPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/download/batch/{batch_id}',
    id: 'downloadBatch',
    summary: 'Download the results of a batch',
    description:
      'Everything in one answer, as fast as it is read: NDJSON has one file a line (with `raw=true` one job), `json` is one document, `text`, `srt` and `vtt` are for people to read. An answer that ends without its proper end was broken off: ask again.',
    access: 'user',
    params: batchPath,
    query: downloadQuery,
    responses: {
      200: {
        description: 'The files or jobs, in the order of the submission.',
        schema: batchDocument,
        otherwise: { ...ndjsonDocs, ...textDocs, [zipType]: z.string() },
      },
      400: { description: 'A query parameter is wrong.', schema: failure },
      401: badToken,
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
      409: { description: 'The only file has no transcript that could be read.', schema: failure },
      503: dependencyAway,
    },
    async handle({ principal, params, query }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (!batch) return notFound('batch')
      const { format } = query
      if (isTextFormat(format)) return forReading(ports, batch, { ...query, format })
      const list = await listOf(ports, batch, query)
      const name = query.raw ? 'jobs' : 'files'
      const parts = format === 'json' ? jsonDocument({ batch_id: batch.batchId }, { name, list }) : jsonLines(list)
      return fileAnswer(await bodyOf(parts), `${contentTypes[format]}; charset=utf-8`, `${batch.batchId}.${format}`)
    },
  })
}

type Query = z.output<typeof downloadQuery>

/** A ZIP of texts would be no better to read than one text; subtitles belong to one recording each. */
async function forReading(
  ports: ListingPorts,
  batch: BatchState,
  query: Query & { format: TextFormat },
): Promise<Answer> {
  const { format, status: filter } = query
  if (query.raw) throw terminal('invalid_request', `query.raw: jobs have no form as ${format}; ask for ndjson or json`)
  const indexes = await filesMatching(ports, batch, filter)
  const options = { ...query, renderer: ports.renderer }
  const files = mergedFiles(ports, batch, {
    indexes,
    filter,
    options: { ...query, chunks: false, speech_information: true },
  })
  const type = `${textTypes[format]}; charset=utf-8`
  if (indexes.length === 1)
    for await (const file of files) return fileAnswer(textOfFile(options, file), type, textName(file.filename, format))
  if (format === 'text') return fileAnswer(await bodyOf(textsOfFiles(options, files)), type, `${batch.batchId}.txt`)
  return fileAnswer(Readable.from(zip(entriesOfFiles(options, files))), zipType, `${batch.batchId}.zip`)
}

function fileAnswer(body: string | Readable, contentType: string, filename: string): Answer {
  return {
    status: 200,
    body,
    headers: { 'Content-Type': contentType, 'Content-Disposition': attachment(filename) },
  }
}

async function listOf(ports: ListingPorts, batch: BatchState, query: Query): Promise<AsyncIterable<object>> {
  const filter = query.status
  if (query.raw) return rawJobs(ports, batch, { indexes: filesWithJobs(batch, filter), filter })
  return mergedFiles(ports, batch, { indexes: await filesMatching(ports, batch, filter), filter, options: query })
}
