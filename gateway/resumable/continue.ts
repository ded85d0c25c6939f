import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { failure } from '../wire.ts'
import {
  bodyRefusals,
  byteCount,
  noBody,
  oneResumable,
  oneResumablePath,
  usualRefusals,
  versionHeader,
} from './docs.ts'
import { finishedHeaders, openHeaders } from './present.ts'
import { finishNow, receivePiece, resumableStanding } from './receive.ts'
import type { ResumableParts } from './receive.ts'
import { greet, isPiece, offsetIn, pieceType } from './tus.ts'

export function continueResumableRoute(parts: ResumableParts): Route {
  return route({
    ...oneResumable,
    method: 'patch',
    path: oneResumablePath,
    id: 'continueResumableUpload',
    summary: 'Send more of a resumable upload',
    description:
      'Stores the body behind what came before. Of a request that breaks off, what came stays: ask with HEAD where to go on. With the last byte it becomes a file, and the answer says which.',
    access: 'user',
    headers: [
      versionHeader,
      {
        name: 'Upload-Offset',
        description: 'Where these bytes belong: what was received so far.',
        schema: byteCount.meta({ examples: ['0'] }),
        required: true,
      },
    ],
    body: {
      contentType: pieceType,
      description: 'The next bytes of the recording, as many as you like.',
      schema: z.string().meta({ format: 'binary' }),
    },
    responses: {
      204: {
        description:
          'They are safe, up to `Upload-Offset`. When that was all, `Vaak-File-Id` is the file, `Vaak-Batch-Upload-Id` its upload, and `Vaak-Deduplicated: true` says that you had the same bytes stored already.',
        ...noBody,
      },
      ...usualRefusals,
      ...bodyRefusals,
      400: {
        description: 'A header is missing or wrong, or the whole is not audio; then nothing is kept.',
        schema: failure,
      },
      409: { description: 'The bytes belong elsewhere than the next ones, or all have come.', schema: failure },
      415: { description: `The body is not \`${pieceType}\`.`, schema: failure },
    },
    async handle(request) {
      greet(request)
      const ref = { owner: request.principal.owner, resumableId: request.params.resumable_upload_id }
      const standing = await resumableStanding(parts, ref)
      if (!isPiece(request)) throw terminal('unsupported_media', `The body must be ${pieceType}.`)
      const offsetBytes = offsetIn(request)
      if (standing.finished) throw elsewhere(standing.finished.sizeBytes)
      const { upload, received } = standing
      if (offsetBytes !== received.sizeBytes) throw elsewhere(received.sizeBytes)
      const isAll = received.sizeBytes >= upload.sizeBytes
      const { receivedBytes, finished } = isAll
        ? { receivedBytes: received.sizeBytes, finished: await finishNow(parts, { upload, received }) }
        : await receivePiece(parts, { request, upload, received })
      const headers = finished ? finishedHeaders(finished) : openHeaders(upload, receivedBytes)
      return { status: 204, body: '', headers }
    },
  })
}

function elsewhere(receivedBytes: number) {
  return terminal('conflict', `${receivedBytes} bytes have come so far; go on there (Upload-Offset: ${receivedBytes}).`)
}
