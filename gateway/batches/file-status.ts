import { z } from 'zod'

import { size } from '../../actors/bitset.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { Chunks } from '../../actors/run/state.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, idText } from '../wire.ts'
import { findFile } from './find-file.ts'
import type { FindPorts } from './find-file.ts'
import type { BatchFile } from './read.ts'
import { jobStatuses } from './result-schemas.ts'
import { audioExpired, audioExpiredSentence, canRetry } from './file-schemas.ts'
import { filePath, notFoundBody } from './schemas.ts'
import { presentSource, sourceShown } from './source-schema.ts'
import { fileErrorsOf, fileStatusOf, isWorthRetry } from './standing.ts'
import { inSeconds } from './status.ts'

export const fileStatus = z
  .strictObject({
    batch_id: idText.describe('The newest batch that it is part of.'),
    file_id: idText,
    filename: z.string(),
    ...sourceShown,
    status: z.enum(jobStatuses),
    total_chunks: z.int(),
    completed_chunks: z.int(),
    failed_chunks: z.int(),
    audio_seconds: z
      .number()
      .optional()
      .describe('How long the recording is, or the part of it that is transcribed; absent until it is cut.'),
    completed_audio_seconds: z
      .number()
      .optional()
      .describe('How much of it is behind, by its chunks, also by those that failed; absent until it is cut.'),
    language: z
      .string()
      .optional()
      .describe('Of most of the speech, `und` when there is none; absent until it is known.'),
    wordless_seconds: z
      .number()
      .optional()
      .describe('Speech that was heard and not understood: `gaps` of the result say where. Absent when there is none.'),
    error: z.string().optional().describe('Why it failed; only when `failed`. `errors` of the result have all of it.'),
    can_retry: canRetry,
    audio_expired: audioExpired,
  })
  .meta({ id: 'FileStatus' })

type FileStatusBody = z.input<typeof fileStatus>
type AudioField = 'audio_seconds' | 'completed_audio_seconds'

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

export function fileProgressOf(file: BatchFile): Omit<FileStatusBody, 'batch_id'> {
  const { ref, filename, run, isAudioExpired } = file
  const chunks = run && chunksOf(run.progress)
  const wordless = run?.progress.phase === 'finished' ? run.progress.wordlessSeconds : undefined
  const language = run?.progress.phase === 'finished' ? run.progress.language : undefined
  const status = fileStatusOf(run)
  const [error] = run && status === 'failed' ? fileErrorsOf(run.progress) : []
  return {
    file_id: ref.fileId,
    filename,
    ...presentSource(file),
    status,
    total_chunks: chunks?.total ?? 0,
    completed_chunks: chunks ? size(chunks.done) : 0,
    failed_chunks: chunks ? size(chunks.failed) : 0,
    ...(chunks && audioOf(chunks)),
    ...(language !== undefined && { language }),
    ...(wordless !== undefined && { wordless_seconds: wordless }),
    ...(error && { error: error.message }),
    ...(isWorthRetry(file) && { can_retry: true }),
    ...(isAudioExpired && { audio_expired: audioExpiredSentence }),
  }
}

function audioOf({ seconds, total, done, failed }: Chunks): Pick<FileStatusBody, AudioField> {
  const share = total === 0 ? 1 : (size(done) + size(failed)) / total
  return { audio_seconds: inSeconds(seconds), completed_audio_seconds: inSeconds(seconds * share) }
}
