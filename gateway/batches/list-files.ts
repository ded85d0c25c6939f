import { z } from 'zod'

import { madeAtMs } from '../../actors/ids.ts'
import type { Owner } from '../../actors/ids.ts'
import type { FileWalk } from '../../actors/listing/ports.ts'
import { languageCodes } from '../../actors/transcript/state.ts'
import type { VisibleFile } from '../../actors/upload/state.ts'
import { presentListed } from '../files/present.ts'
import { visible } from '../files/read.ts'
import { listedFile } from '../files/schemas.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway, failure, limitField } from '../wire.ts'
import { fileProgressOf, fileStatus } from './file-status.ts'
import { findFiles } from './find-file.ts'
import type { FindManyPorts } from './find-file.ts'
import type { BatchFile, BatchReadPorts } from './read.ts'
import { jobStatuses } from './result-schemas.ts'
import { cursorField, cursorTo, momentField, stretchOf } from './walk-query.ts'

export interface ListTranscribedPorts extends FindManyPorts, Pick<BatchReadPorts, 'fileRecords'> {
  readonly listing: FileWalk
}

/** Each reads the records of up to 200 files. */
const lists: PlaceShares = { perUser: 4, all: 16 }
const nameMaxCharacters = 200
const exampleId = '01900000-0000-7000-8000-000000000000'

const query = z.strictObject({
  limit: limitField('How many files are looked at for a page: a filter shows those of them that match.'),
  cursor: cursorField,
  status: z
    .enum(['none', ...jobStatuses])
    .optional()
    .describe('Only files whose newest transcription is so far; `none`: which were never submitted.'),
  language: z
    .enum([...languageCodes, 'und'])
    .optional()
    .describe('Only files in which most of the speech is in it.'),
  name: z
    .string()
    .max(nameMaxCharacters, `has more than ${nameMaxCharacters} characters, which is the limit`)
    .optional()
    .describe('Only files whose name has this in it, in large or small letters.'),
  from: momentField('Only files that were uploaded at this time or later.'),
  to: momentField('Only files that were uploaded before this time.'),
})

type Filter = Pick<z.output<typeof query>, 'status' | 'language' | 'name'>

const transcribedFile = listedFile
  .extend({
    created_at: z.string().describe('When it was uploaded.'),
    transcription: fileStatus.optional().describe('How far the newest one is; absent when it was never submitted.'),
  })
  .meta({ id: 'TranscribedFile' })

type TranscribedFile = z.input<typeof transcribedFile>

const page = z
  .strictObject({
    limit: z.int(),
    count: z.int().describe('Files on this page.'),
    files: z.array(transcribedFile),
    next_cursor: z.string().optional().describe('For the next page; absent on the last.'),
  })
  .meta({ id: 'TranscribedFilePage', examples: [{ limit: 50, count: 0, files: [], next_cursor: `3.${exampleId}` }] })

export function listTranscribedRoute(ports: ListTranscribedPorts): Route {
  const places = openPlaces(lists, { what: 'lists of files', advice: 'ask for one page after the other' })
  return route({
    method: 'get',
    path: '/transcribe/files',
    id: 'listTranscribedFiles',
    summary: 'List files with their transcription',
    description:
      'Your uploaded files, newest first, each with how far its newest transcription is. `from` and `to` cost nothing; `status`, `language` and `name` are looked up in the records of `limit` files a page, 200 at most, however many files there are: a page may show few of them or none, and there are more as long as it has a `next_cursor`.',
    access: 'user',
    params: z.strictObject({}),
    query,
    responses: {
      200: { description: 'One page of files.', schema: page },
      400: { description: 'A query parameter is wrong.', schema: failure },
      401: badToken,
      429: { description: 'You have several lists open at once; see Retry-After.', schema: failure },
      503: dependencyAway,
    },
    async handle({ principal: { owner }, query: { limit, cursor, from, to, ...filter } }) {
      const leave = places.take(owner)
      try {
        const { ids, next } = await ports.listing.walk(owner, { limit, ...stretchOf({ cursor, from, to }) })
        const files = await matching(ports, owner, { files: await visible(ports, ids), filter })
        const goesOn = next && { next_cursor: cursorTo(next) }
        return { status: 200, body: { limit, count: files.length, files, ...goesOn } }
      } finally {
        leave()
      }
    },
  })
}

async function matching(
  ports: ListTranscribedPorts,
  owner: Owner,
  { files, filter }: { readonly files: readonly VisibleFile[]; readonly filter: Filter },
): Promise<TranscribedFile[]> {
  const name = filter.name?.toLocaleLowerCase('und') ?? ''
  // the name is known without asking for anything more
  const named = files.filter(({ filename }) => filename.toLocaleLowerCase('und').includes(name))
  const runs = await findFiles(
    ports,
    owner,
    named.map(({ fileId }) => fileId),
  )
  return named.map((file) => transcribed(file, runs.get(file.fileId))).filter((file) => isWanted(file, filter))
}

function transcribed(file: VisibleFile, run: BatchFile | undefined): TranscribedFile {
  return {
    ...presentListed(file),
    created_at: new Date(madeAtMs(file.fileId)).toISOString(),
    ...(run && { transcription: { batch_id: run.ref.batchId, ...fileProgressOf(run) } }),
  }
}

function isWanted({ transcription }: TranscribedFile, { status, language }: Filter): boolean {
  if (status !== undefined && (transcription?.status ?? 'none') !== status) return false
  return language === undefined || transcription?.language === language
}
