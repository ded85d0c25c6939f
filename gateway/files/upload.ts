import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { UploadId } from '../../actors/ids.ts'
import type { Manifest, RejectedFile } from '../../actors/upload/state.ts'
import { keyHeaderDoc, replay, underClaim } from '../idempotency.ts'
import type { ClaimOutcome } from '../idempotency.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares, UserPlaces } from '../places.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { badToken, failure } from '../wire.ts'
import { acceptUpload, fingerprintOf, uploadAnswers } from './accept.ts'
import type { AcceptPorts } from './accept.ts'
import { receiveFiles } from './intake.ts'
import { filesField, inWords, openMultipart } from './multipart.ts'
import type { MultipartLimits } from './multipart.ts'
import { watchPace } from './pace.ts'
import type { PaceLimits } from './pace.ts'
import { presentRejected } from './present.ts'
import { uploadAccepted, uploadQuery } from './schemas.ts'

export interface UploadLimits extends MultipartLimits, PaceLimits {
  /** Bytes that their user has stored already are stored once. */
  readonly deduplicates: boolean
  readonly places: PlaceShares
}

/** Of everything in an upload that is not a recording. */
const formMaxBytes = 1024 * 1024

/** Of what is received at the same time, in one request or in several. */
export function openUploadPlaces(limits: PlaceShares): UserPlaces {
  return openPlaces(limits, { what: 'uploads', advice: 'try again shortly' })
}

export function uploadRoute(ports: AcceptPorts, limits: UploadLimits, places: UserPlaces): Route {
  return route({
    method: 'post',
    path: '/files/upload',
    id: 'uploadFiles',
    summary: 'Upload audio files',
    description:
      'Answers as soon as the files are safe: in object storage, or on this server’s disk, from where they go to storage in the background. Poll the upload until every file is `completed`. What is not audio, or too large, is refused by name in `rejected_files`, and the other files are accepted.',
    access: 'user',
    params: z.strictObject({}),
    query: uploadQuery,
    headers: [keyHeaderDoc('The same key with the same files gives the same answer again, and uploads nothing twice.')],
    body: {
      contentType: 'multipart/form-data',
      description: `One or more parts named \`${filesField}\`, at most ${limits.maxFiles}; each at most ${inWords(limits.maxFileBytes)}, together at most ${inWords(limits.maxRequestBytes)}.`,
      schema: z.object({
        [filesField]: z
          .array(z.string().meta({ format: 'binary' }))
          .min(1)
          .max(limits.maxFiles),
      }),
    },
    responses: {
      202: {
        description:
          'The files are safe. `Location` is where to watch them; `Idempotency-Replayed: true` marks an answer that is given again.',
        schema: uploadAccepted,
      },
      400: { description: 'The body is not a proper upload, or none of its files is audio.', schema: failure },
      401: badToken,
      408: { description: 'The client sent too slowly.', schema: failure },
      409: { description: 'The idempotency key is in use, or was used with other files.', schema: failure },
      413: { description: 'The whole upload, or every file of it, is larger than the limit.', schema: failure },
      429: {
        description: 'You ask for too much, or send too many uploads, at once; see Retry-After.',
        schema: failure,
      },
      503: {
        description: 'No room, too many uploads at once, or a dependency is away; see Retry-After.',
        schema: failure,
      },
    },
    async handle(request) {
      const leave = places.take(request.principal.owner)
      try {
        return await claimed(
          ports,
          { ...limits, deduplicates: limits.deduplicates && request.query.deduplicate },
          request,
        )
      } finally {
        leave()
      }
    },
  })
}

async function claimed(ports: AcceptPorts, limits: UploadLimits, request: Request): Promise<Answer> {
  const uploadId = ports.ids.nextUploadId()
  const answers = uploadAnswers(ports, request.principal.owner)
  return underClaim({ ...ports, ...answers }, { scope: 'upload', request, id: uploadId }, (claim) =>
    receive(ports, limits, { request, uploadId, claim }),
  )
}

interface Receiving {
  readonly request: Request
  readonly uploadId: UploadId
  readonly claim: ClaimOutcome | undefined
}

async function receive(ports: AcceptPorts, limits: UploadLimits, input: Receiving): Promise<Answer> {
  const { request, uploadId, claim } = input
  const { owner } = request.principal
  const startedMs = ports.clock.elapsedMs()
  const multipart = openMultipart(request.raw.request, limits)
  // who announces too much is not waited for; how much it is without the form is known when it has come
  const announcedBytes = Math.max(0, (multipart.declaredBytes ?? 0) - formMaxBytes)
  await ports.storedQuota.admit(owner, { files: 1, bytes: announcedBytes })
  const reception = await ports.receiving.receive({ uploadId, owner, expectedBytes: multipart.declaredBytes })
  const stopWatching = watchPace(request.raw.request, limits, (reason) => multipart.refuse(reason))
  try {
    const { files, rejected } = await receiveFiles(ports, {
      request,
      uploadId,
      multipart,
      reception,
      isApart: !limits.deduplicates,
    })
    stopWatching()
    await ports.faults.point('upload.after-receive')
    const fingerprint = fingerprintOf(files, rejected)
    if (claim && 'first' in claim) return replay(claim.first, fingerprint)
    if (files.length === 0) throw nothingAccepted(rejected)
    const spoolSeconds = Math.round(ports.clock.elapsedMs() - startedMs) / 1000
    const manifest: Manifest = {
      uploadId,
      owner,
      acceptedAtMs: ports.clock.nowMs(),
      spoolSeconds,
      rejected,
      fingerprint,
      files,
      ...(claim && { claimKey: claim.held.key }),
    }
    return await acceptUpload(ports, { manifest, reception, claim })
  } finally {
    stopWatching()
    await reception.discard()
  }
}

function nothingAccepted(rejected: readonly RejectedFile[]): FailureError {
  if (rejected.length === 0)
    return terminal('invalid_request', `The upload has no files: send one or more parts named \`${filesField}\`.`)
  if (rejected.every(({ isTooLarge }) => isTooLarge))
    return terminal('too_large', {
      message: `Nothing was kept. ${rejected[0]?.reason}`,
      rejected_files: presentRejected(rejected),
    })
  return terminal('invalid_request', {
    message: 'None of the files is audio that can be read; nothing was kept.',
    rejected_files: presentRejected(rejected),
  })
}
