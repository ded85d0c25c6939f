import { z } from 'zod'

import { FailureError } from '../../actors/failure.ts'
import type { ResumableUpload } from '../../actors/upload/state.ts'
import { safeFilename } from '../files/filename.ts'
import { inWords } from '../files/multipart.ts'
import { uploadQuery } from '../files/schemas.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { takesNothing } from '../wire.ts'
import { bodyRefusals, byteCount, noBody, resumablePath, usualRefusals, versionHeader } from './docs.ts'
import { finishedHeaders, openHeaders } from './present.ts'
import { receivePiece } from './receive.ts'
import type { ResumableParts } from './receive.ts'
import { aboutProtocol, announcedBytes, greet, isPiece, metadataIn, metadataMaxCharacters } from './tus.ts'

/** Deleting helps, or waiting until one expires. */
const comeBackSeconds = 60

export function describeResumableRoute({ limits }: ResumableParts): Route {
  return route({
    ...takesNothing,
    method: 'options',
    path: resumablePath,
    id: 'describeResumableUploads',
    summary: 'What resumable uploads can do here',
    description: 'Versions, extensions and the largest size, in the headers that the tus protocol has for it.',
    access: 'public',
    responses: { 204: { description: '`Tus-Version`, `Tus-Extension` and `Tus-Max-Size`.', ...noBody } },
    async handle(request) {
      greet(request)
      return { status: 204, body: '', headers: aboutProtocol(limits.maxFileBytes) }
    },
  })
}

export function beginResumableRoute(parts: ResumableParts): Route {
  const { limits } = parts
  const { 404: _, 423: __, ...refusals } = usualRefusals
  return route({
    params: z.strictObject({}),
    query: uploadQuery,
    method: 'post',
    path: resumablePath,
    id: 'beginResumableUpload',
    summary: 'Begin an upload that may break off',
    description: `One recording by the [tus protocol](https://tus.io/protocols/resumable-upload) 1.0, for any of its clients: what came stays when the connection breaks, and the next request goes on there, at any gateway. At most ${inWords(limits.maxFileBytes)}, at most ${limits.maxOpen} at a time, each for ${limits.lifetimeMs / 1000} seconds. When the last byte has come it is a file as \`POST /files/upload\` makes one. The first bytes may come along as \`application/offset+octet-stream\`.`,
    access: 'user',
    headers: [
      versionHeader,
      {
        name: 'Upload-Length',
        description: 'How many bytes will come.',
        schema: byteCount.meta({ examples: ['1048576'] }),
        required: true,
      },
      {
        name: 'Upload-Metadata',
        description: 'Keys with values in base64, and commas between them. `filename` is what the file will be called.',
        schema: z
          .string()
          .max(metadataMaxCharacters)
          .meta({ examples: ['filename b25lLndhdg=='] }),
      },
    ],
    responses: {
      201: {
        description: '`Location` is where the bytes go, until `Upload-Expires`. With bytes: as for PATCH.',
        ...noBody,
      },
      ...refusals,
      ...bodyRefusals,
    },
    handle: (request) => begin(parts, request, limits.deduplicates && request.query.deduplicate),
  })
}

async function begin(
  parts: ResumableParts,
  request: Pick<Request, 'id' | 'raw' | 'principal' | 'header'>,
  deduplicates: boolean,
): Promise<Answer> {
  greet(request)
  const upload: ResumableUpload = { ...announced(parts, request), ...(!deduplicates && { isApart: true }) }
  const { resumables, storedQuota, resumableRoom } = parts.ports
  const { owner, sizeBytes } = upload
  const open = await resumables.of(owner)
  if (open.length >= parts.limits.maxOpen) throw tooMany(parts)
  const bytes = open.reduce((sum, one) => sum + one.sizeBytes, sizeBytes)
  await storedQuota.admit(owner, { files: open.length + 1, bytes })
  await resumableRoom.check(sizeBytes)
  await resumables.begin(upload)
  await refuseBeyond(parts, upload)
  const headers = { Location: `${resumablePath}/${upload.resumableId}` }
  if (!isPiece(request)) return { status: 201, body: '', headers: { ...headers, ...openHeaders(upload, 0) } }
  const received = await resumables.received(upload)
  const { receivedBytes, finished } = await receivePiece(parts, { request, upload, received })
  const facts = finished ? finishedHeaders(finished) : openHeaders(upload, receivedBytes)
  return { status: 201, body: '', headers: { ...headers, ...facts } }
}

function announced({ ports, limits }: ResumableParts, request: Pick<Request, 'principal' | 'header'>): ResumableUpload {
  const sizeBytes = announcedBytes(request, limits.maxFileBytes)
  const { metadata, name } = metadataIn(request)
  const begunAtMs = ports.clock.nowMs()
  return {
    owner: request.principal.owner,
    resumableId: ports.ids.nextResumableId(),
    filename: safeFilename(name),
    metadata,
    sizeBytes,
    begunAtMs,
    expiresAtMs: begunAtMs + limits.lifetimeMs,
  }
}

/** Of those that begin at the same moment, at whichever gateway, only as many stay as may. */
async function refuseBeyond(parts: ResumableParts, upload: ResumableUpload): Promise<void> {
  const { resumables } = parts.ports
  const ids = (await resumables.of(upload.owner)).map(({ resumableId }) => resumableId)
  if (ids.indexOf(upload.resumableId) < parts.limits.maxOpen) return
  await resumables.drop(upload)
  throw tooMany(parts)
}

function tooMany({ limits }: ResumableParts): FailureError {
  return new FailureError({
    kind: 'retryable',
    code: 'quota_exceeded',
    detail: `You have ${limits.maxOpen} unfinished uploads, which is the limit; finish or delete one (GET ${resumablePath} lists them).`,
    retryAfterSeconds: comeBackSeconds,
  })
}
