import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { VisibleFile } from '../../actors/upload/state.ts'
import { attachment } from '../attachment.ts'
import { unsatisfiable } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure, fileIdField } from '../wire.ts'
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
    409: { description: 'The file is not stored yet, or could not be.', schema: failure },
    416: { description: 'The range begins behind the end.', schema: failure },
    503: dependencyAway,
  },
}

export function fileAudioRoute(ports: AudioPorts): Route {
  return route({
    method: 'get',
    path: '/files/{file_id}/audio',
    id: 'getFileAudio',
    summary: 'Hear a file',
    description: 'The recording as it was uploaded, whole or in part, so that a player can jump about in it.',
    access: 'user',
    params: z.strictObject({ file_id: fileIdField }),
    query: z.strictObject({}),
    ...audioDocs,
    responses: {
      ...audioDocs.responses,
      401: badToken,
      404: { description: 'There is no such file of yours.', schema: failure },
    },
    async handle({ principal, params, header }) {
      return audioAnswer(ports, { owner: principal.owner, fileId: params.file_id }, header)
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

async function answerOf(blobs: Blobs, file: VisibleFile, header: Request['header']): Promise<Answer> {
  if (file.status !== 'completed') throw notStored(file)
  const { sizeBytes, storageKey } = file
  const etag = `"${file.sha256}"`
  const given = header('If-Range')
  const range = byteRangeOf(given === undefined || given === etag ? header('Range') : undefined, sizeBytes)
  if (range.type === 'unsatisfiable') return unsatisfiable(sizeBytes)
  const { start, end } = range.type === 'part' ? range : { start: 0, end: sizeBytes }
  return {
    status: range.type === 'part' ? 206 : 200,
    body: await blobs.open(storageKey, { start, end }),
    headers: {
      'Content-Type': file.contentType,
      'Content-Length': String(end - start),
      // a player does not mind; whoever opens the address is given a file and not a page
      'Content-Disposition': attachment(file.filename),
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
