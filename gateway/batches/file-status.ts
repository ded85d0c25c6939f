import { z } from 'zod'

import { size } from '../../actors/bitset.ts'
import { chunksOf } from '../../actors/run/state.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, idText } from '../wire.ts'
import { findFile } from './find-file.ts'
import type { FindPorts } from './find-file.ts'
import type { BatchFile } from './read.ts'
import { jobStatuses } from './result-schemas.ts'
import { audioExpired, audioExpiredSentence, filePath, notFoundBody } from './schemas.ts'
import { fileErrorsOf, fileStatusOf } from './standing.ts'

const fileStatus = z
  .strictObject({
    batch_id: idText.describe('The newest batch that it is part of.'),
    file_id: idText,
    filename: z.string(),
    status: z.enum(jobStatuses),
    total_chunks: z.int(),
    completed_chunks: z.int(),
    failed_chunks: z.int(),
    wordless_seconds: z
      .number()
      .optional()
      .describe('Speech that was heard and not understood: `gaps` of the result say where. Absent when there is none.'),
    error: z.string().optional().describe('Why it failed; only when `failed`. `errors` of the result have all of it.'),
    audio_expired: audioExpired,
  })
  .meta({ id: 'FileStatus' })

export function fileStatusRoute(ports: FindPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/status/file/{file_id}',
    id: 'getFileStatus',
    summary: 'Watch a file',
    description: 'How far the newest transcription of one file is, and which batch it is part of; without its words.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'How far it is.', schema: fileStatus },
      400: badQuery,
      401: badToken,
      404: { description: 'No file of yours with this id was ever submitted.', schema: notFoundBody },
      503: dependencyAway,
    },
    async handle({ principal, params }) {
      const file = await findFile(ports, principal.owner, params.file_id)
      return file ? { status: 200, body: { batch_id: file.ref.batchId, ...fileProgressOf(file) } } : notFound('file')
    },
  })
}

export function fileProgressOf({
  ref,
  filename,
  run,
  isAudioExpired,
}: BatchFile): Omit<z.input<typeof fileStatus>, 'batch_id'> {
  const chunks = run && chunksOf(run.progress)
  const wordless = run?.progress.phase === 'finished' ? run.progress.wordlessSeconds : undefined
  const status = fileStatusOf(run)
  const [error] = run && status === 'failed' ? fileErrorsOf(run.progress) : []
  return {
    file_id: ref.fileId,
    filename,
    status,
    total_chunks: chunks?.total ?? 0,
    completed_chunks: chunks ? size(chunks.done) : 0,
    failed_chunks: chunks ? size(chunks.failed) : 0,
    ...(wordless !== undefined && { wordless_seconds: wordless }),
    ...(error && { error: error.message }),
    ...(isAudioExpired && { audio_expired: audioExpiredSentence }),
  }
}
