import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { bleepedAudioKey } from '../../actors/ids.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import { hasWords } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { VisibleFile } from '../../actors/upload/state.ts'
import { attachment } from '../attachment.ts'
import { findFile } from '../batches/find-file.ts'
import type { FindPorts } from '../batches/find-file.ts'
import { unsatisfiable } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure, fileIdField, truth } from '../wire.ts'
import { byteRangeOf } from './byte-range.ts'

export interface AudioPorts {
  readonly fileRecords: FileRecords
  readonly blobs: Blobs
}

const audioBytes = z.string().meta({ format: 'binary' })
/** What an upload may turn out to be; the commonest first. */
const audioTypes = [
  'audio/wav',
  ...['3gpp', 'aac', 'aiff', 'amr', 'amr-wb', 'basic', 'flac', 'mp4', 'mpeg', 'ogg', 'webm'].map(
    (type) => `audio/${type}`,
  ),
  ...['x-caf', 'x-matroska', 'x-ms-wma'].map((type) => `audio/${type}`),
  ...['3gpp', 'mp4', 'ogg', 'quicktime', 'webm', 'x-matroska', 'x-ms-asf'].map((type) => `video/${type}`),
]

const [contentType = '', ...others] = audioTypes
const bytes = {
  schema: audioBytes,
  contentType,
  otherwise: Object.fromEntries(others.map((type) => [type, audioBytes])),
}

/** Of every route that gives out a recording. */
export const audioDocs = {
  headers: [
    { name: 'Range', description: 'Which bytes, `bytes=from-to`; one range.', schema: z.string() },
    { name: 'If-Range', description: 'The ETag that the range belongs to.', schema: z.string() },
  ],
  responses: {
    200: { description: 'The recording.', ...bytes },
    206: { description: 'The part that was asked for; see Content-Range.', ...bytes },
    400: badQuery,
    409: {
      description: 'The file, or the copy of it that is given out, is not stored yet, or could not be.',
      schema: failure,
    },
    416: { description: 'The range begins behind the end.', schema: failure },
    503: dependencyAway,
  },
}

export function fileAudioRoute(ports: AudioPorts & FindPorts): Route {
  return route({
    method: 'get',
    path: '/files/{file_id}/audio',
    id: 'getFileAudio',
    summary: 'Hear a file',
    description:
      'The recording as it was uploaded, whole or in part, so that a player can jump about in it. Where its newest transcription asked for `redact_audio`, a copy with a tone for what was taken out.',
    access: 'user',
    params: z.strictObject({ file_id: fileIdField }),
    query: z.strictObject({ original: truth('As it was uploaded, whatever was taken out of its transcript.') }),
    ...audioDocs,
    responses: {
      ...audioDocs.responses,
      401: badToken,
      404: { description: 'There is no such file of yours.', schema: failure },
    },
    async handle({ principal: { owner }, params: { file_id: fileId }, query, header }) {
      const run = query.original ? undefined : (await findFile(ports, owner, fileId))?.run
      return run?.settings.redactAudio
        ? bleepedAnswer(ports, run, header)
        : audioAnswer(ports, { owner, fileId }, header)
    },
  })
}

/** A recording that somebody else uploaded is as good as none. */
export async function audioAnswer(
  { fileRecords, blobs }: AudioPorts,
  { owner, fileId }: { readonly owner: Owner; readonly fileId: FileId },
  header: Request['header'],
): Promise<Answer> {
  const file = (await fileRecords.read(fileId))?.value
  if (!file || !isVisible(file) || file.owner !== owner) throw terminal('not_found', 'file not found')
  return answerOf(blobs, file, header)
}

/** The copy in which a tone stands for what was taken out of the transcript. It is there as long as the transcript is. */
export async function bleepedAnswer(
  { blobs }: Pick<AudioPorts, 'blobs'>,
  run: RunState,
  header: Request['header'],
): Promise<Answer> {
  const key = bleepedAudioKey(run)
  const stored = hasWords(run) ? await blobs.stat(key) : undefined
  if (!stored)
    throw terminal(
      'conflict',
      'The copy without what was taken out is not there: it is made when the file is transcribed.',
    )
  const filename = `${run.filename.replace(/\.[^.]*$/u, '')}.bleeped.wav`
  const { sizeBytes } = stored
  return ranged(blobs, { key, sizeBytes, filename, contentType, etag: `"${run.batchId}"` }, header)
}

function answerOf(blobs: Blobs, file: VisibleFile, header: Request['header']): Promise<Answer> {
  if (file.status !== 'completed') throw notStored(file)
  const { sizeBytes, storageKey: key, sha256, filename } = file
  return ranged(blobs, { key, sizeBytes, filename, contentType: file.contentType, etag: `"${sha256}"` }, header)
}

interface StoredAudio {
  readonly key: string
  readonly sizeBytes: number
  readonly filename: string
  readonly contentType: string
  readonly etag: string
}

async function ranged(blobs: Blobs, audio: StoredAudio, header: Request['header']): Promise<Answer> {
  const { key, sizeBytes, etag } = audio
  const given = header('If-Range')
  const range = byteRangeOf(given === undefined || given === etag ? header('Range') : undefined, sizeBytes)
  if (range.type === 'unsatisfiable') return unsatisfiable(sizeBytes)
  const { start, end } = range.type === 'part' ? range : { start: 0, end: sizeBytes }
  return {
    status: range.type === 'part' ? 206 : 200,
    body: await blobs.open(key, { start, end }),
    headers: {
      'Content-Type': audio.contentType,
      'Content-Length': String(end - start),
      // a player does not mind; whoever opens the address is given a file and not a page
      'Content-Disposition': attachment(audio.filename),
      'Accept-Ranges': 'bytes',
      ETag: etag,
      ...(range.type === 'part' && { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
    },
  }
}

function notStored(file: VisibleFile): Error {
  if (file.status === 'failed') return terminal('conflict', `This file could not be stored: ${file.reason}`)
  return terminal('conflict', 'This file is on its way to storage; try again in a moment.')
}
