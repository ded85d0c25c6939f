import type { BatchState } from '../../actors/batch/state.ts'
import type { BatchId } from '../../actors/ids.ts'
import type { PaperMaker } from '../../actors/transcript/ports.ts'
import { attachment } from '../attachment.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badToken, dependencyAway, failure } from '../wire.ts'
import { findFile } from './find-file.ts'
import type { FindPorts } from './find-file.ts'
import { slicesOf } from './jobs.ts'
import { bodyOf, jsonDocument, jsonLine } from './json-stream.ts'
import { mergedFiles, rawJobs } from './listing.ts'
import type { ListingPorts } from './listing.ts'
import { fileResultOf } from './present.ts'
import type { FileResultBody, Presenting, PresentationRequest } from './present.ts'
import { isPaperFormat, openPapers, paperDocs } from './paper.ts'
import { ndjsonDocs, ndjsonType, textDocs } from './text-docs.ts'
import { ownedBatch } from './read.ts'
import { batchResultsQuery, fileResult, fileResultQuery } from './result-schemas.ts'
import { resultsPage } from './results-page-schemas.ts'
import type { StatusFilter } from './result-schemas.ts'
import { batchPath, filePath, notFoundBody } from './schemas.ts'
import { filesMatching, jobsMatching } from './select.ts'
import { isTextFormat, textName, textOfFile, textTypes } from './texts.ts'
import type { TextOptions } from './texts.ts'

const problems = {
  400: { description: 'A query parameter is wrong.', schema: failure },
  401: badToken,
  503: dependencyAway,
}

export function batchResultsRoute(ports: ListingPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/results/batch/{batch_id}',
    id: 'getBatchResults',
    summary: 'Read the results of a batch',
    description:
      'One page of files with their transcripts, in the order of the submission; with `raw=true` one page of jobs: each file, followed by its chunks. With a `status` an unknown batch is an empty page.',
    access: 'user',
    params: batchPath,
    query: batchResultsQuery,
    responses: {
      200: { description: 'One page.', schema: resultsPage },
      ...problems,
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
    },
    async handle({ principal, params, query }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (!batch && query.status === undefined) return notFound('batch')
      const page = { ...query, batchId: params.batch_id, offset: (query.page - 1) * query.limit }
      return query.raw ? rawPageOf(ports, batch, page) : mergedPageOf(ports, batch, page)
    },
  })
}

export interface FileResultPorts extends FindPorts, Presenting {
  readonly paper: PaperMaker
}

export function fileResultRoute(ports: FileResultPorts): Route {
  const onPaper = openPapers(ports.paper)
  return route({
    method: 'get',
    path: '/transcribe/results/file/{file_id}',
    id: 'getFileResult',
    summary: 'Read the result of a file',
    description:
      'The newest transcription of one file, whichever batch it was part of: with its status, or, with `format=text`, `srt`, `vtt`, `docx` or `pdf`, for people to read.',
    access: 'user',
    params: filePath,
    query: fileResultQuery,
    responses: {
      200: {
        description: 'The file.',
        schema: fileResult,
        otherwise: { ...ndjsonDocs, ...textDocs, ...paperDocs },
      },
      ...problems,
      404: { description: 'No file of yours with this id was ever submitted.', schema: notFoundBody },
      409: { description: 'There is no transcript yet that could be read.', schema: failure },
    },
    async handle({ principal, params, query }) {
      const file = await findFile(ports, principal.owner, params.file_id)
      const { format } = query
      const isForReading = isTextFormat(format) || isPaperFormat(format)
      const body =
        file && (await fileResultOf(ports, file, isForReading ? { ...query, speech_information: true } : query))
      if (!body) return notFound('file')
      if (isPaperFormat(format)) return onPaper(principal.owner, body, { ...query, format })
      if (isTextFormat(format)) return readable({ ...query, format, renderer: ports.renderer }, body)
      if (format === 'json') return { status: 200, body }
      return { status: 200, body: `${jsonLine(body)}\n`, headers: { 'Content-Type': `${ndjsonType}; charset=utf-8` } }
    },
  })
}

/** As text, to be saved. */
export function readable(options: TextOptions, file: FileResultBody): Answer {
  const headers = {
    'Content-Type': `${textTypes[options.format]}; charset=utf-8`,
    'Content-Disposition': attachment(textName(file.filename, options.format)),
  }
  return { status: 200, body: textOfFile(options, file), headers }
}

interface Page extends PresentationRequest {
  readonly batchId: BatchId
  readonly status?: StatusFilter | undefined
  readonly page: number
  readonly limit: number
  readonly offset: number
}

async function mergedPageOf(ports: ListingPorts, batch: BatchState | undefined, page: Page): Promise<Answer> {
  const matching = batch ? await filesMatching(ports, batch, page.status) : []
  const indexes = matching.slice(page.offset, page.offset + page.limit)
  const list = batch ? mergedFiles(ports, batch, { indexes, filter: page.status, options: page }) : nothing()
  const head = { ...headOf(page, batch, matching.length), total_files: matching.length }
  return answerOf(jsonDocument(head, { name: 'files', list }, (count) => ({ count })))
}

async function rawPageOf(ports: ListingPorts, batch: BatchState | undefined, page: Page): Promise<Answer> {
  const files = batch ? await jobsMatching(ports, batch, page.status) : []
  const total = files.reduce((sum, { jobs }) => sum + jobs, 0)
  const slices = slicesOf(files, page)
  const indexes = slices.map(({ index }) => index)
  const list = batch ? rawJobs(ports, batch, { indexes, filter: page.status, slices }) : nothing()
  const head = { ...headOf(page, batch, total), total_jobs: total }
  return answerOf(jsonDocument(head, { name: 'jobs', list }, (count) => ({ count })))
}

function headOf({ batchId, page, limit }: Page, batch: BatchState | undefined, total: number) {
  const named = batch?.name !== undefined && { name: batch.name }
  const noted = batch?.metadata && { metadata: batch.metadata }
  return { batch_id: batchId, ...named, ...noted, page, limit, total_pages: Math.ceil(total / limit) }
}

async function answerOf(parts: AsyncGenerator<string>): Promise<Answer> {
  return { status: 200, body: await bodyOf(parts), headers: { 'Content-Type': 'application/json; charset=utf-8' } }
}

// oxlint-disable-next-line require-yield -- that it yields nothing is the point
async function* nothing(): AsyncGenerator<never> {}
