import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badToken, dependencyAway, nothingTaken, takesNothing } from '../wire.ts'
import type { ResumableRef } from '../../actors/ids.ts'
import { oneResumable, oneResumablePath, resumablePath, usualRefusals, versionHeader } from './docs.ts'
import { finishedHeaders, openHeaders, presentFinished, presentOpen } from './present.ts'
import { finishNow, resumableStanding } from './receive.ts'
import type { ResumableParts } from './receive.ts'
import { resumableUpload, resumableUploads } from './schemas.ts'
import { greet } from './tus.ts'

export function listResumableRoute({ ports }: ResumableParts): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path: resumablePath,
    id: 'listResumableUploads',
    summary: 'List unfinished uploads',
    description: 'Resumable uploads of yours that were begun and of which bytes are missing, oldest first.',
    access: 'user',
    responses: {
      200: { description: 'The uploads.', schema: resumableUploads },
      400: nothingTaken,
      401: badToken,
      503: dependencyAway,
    },
    async handle({ principal }) {
      const open = await ports.resumables.of(principal.owner)
      const uploads = await Promise.all(
        open.map(async (upload) => presentOpen(upload, (await ports.resumables.received(upload)).sizeBytes)),
      )
      return { status: 200, body: { uploads, count: uploads.length } }
    },
  })
}

export function getResumableRoute(parts: ResumableParts): Route {
  return route({
    ...oneResumable,
    method: 'get',
    path: oneResumablePath,
    id: 'getResumableUpload',
    summary: 'How far a resumable upload is',
    description:
      'With HEAD as the tus protocol has it: `Upload-Offset` is where to go on, and a request that still sends to this upload is ended. So is it with GET and `Tus-Resumable`; without that nothing changes. When all has come, the file that it became; known for as long as idempotency keys are.',
    access: 'user',
    headers: [versionHeader],
    responses: {
      200: {
        description:
          'The upload; in the headers too: `Upload-Offset`, `Upload-Length`, `Upload-Expires`, `Vaak-File-Id`.',
        schema: resumableUpload,
      },
      ...usualRefusals,
    },
    async handle(request) {
      greet(request)
      const ref = { owner: request.principal.owner, resumableId: request.params.resumable_upload_id }
      const isTus = request.raw.request.method === 'HEAD' || request.header('Tus-Resumable') !== undefined
      return look(parts, ref, isTus)
    },
  })
}

async function look(parts: ResumableParts, ref: ResumableRef, isToGoOn: boolean): Promise<Answer> {
  const before = await resumableStanding(parts, ref)
  // only once it is known whose it is
  if (isToGoOn) await parts.turns.clear(ref.resumableId)
  const standing = isToGoOn ? await resumableStanding(parts, ref) : before
  if (standing.finished) return finishedAnswer(ref, standing.finished)
  const { upload, received } = standing
  if (isToGoOn && received.sizeBytes >= upload.sizeBytes)
    return finishedAnswer(ref, await finishNow(parts, { upload, received }))
  return {
    status: 200,
    body: presentOpen(upload, received.sizeBytes),
    headers: openHeaders(upload, received.sizeBytes),
  }
}

function finishedAnswer({ resumableId }: ResumableRef, finished: Parameters<typeof finishedHeaders>[0]): Answer {
  return { status: 200, body: presentFinished(resumableId, finished), headers: finishedHeaders(finished) }
}
