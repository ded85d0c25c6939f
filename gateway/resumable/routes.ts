import { terminal } from '../../actors/failure.ts'
import type { UserPlaces } from '../places.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { failure } from '../wire.ts'
import { beginResumableRoute, describeResumableRoute } from './begin.ts'
import { continueResumableRoute } from './continue.ts'
import { noBody, oneResumable, oneResumablePath, usualRefusals, versionHeader } from './docs.ts'
import { getResumableRoute, listResumableRoute } from './read.ts'
import { resumableStanding } from './receive.ts'
import type { ResumableLimits, ResumableParts, ResumablePorts } from './receive.ts'
import { greet } from './tus.ts'
import { openUploadTurns } from './turns.ts'

/** Uploads that go on after a connection broke, by the tus protocol 1.0 (decision 52). */
export function resumableRoutes(ports: ResumablePorts, limits: ResumableLimits, places: UserPlaces): Route[] {
  const parts = { ports, limits, places, turns: openUploadTurns() }
  return [
    describeResumableRoute(parts),
    beginResumableRoute(parts),
    listResumableRoute(parts),
    getResumableRoute(parts),
    continueResumableRoute(parts),
    dropResumableRoute(parts),
  ]
}

function dropResumableRoute(parts: ResumableParts): Route {
  return route({
    ...oneResumable,
    method: 'delete',
    path: oneResumablePath,
    id: 'dropResumableUpload',
    summary: 'Give up a resumable upload',
    description: 'Deletes what came of it. What is finished is a file, and deleted as such.',
    access: 'user',
    headers: [versionHeader],
    responses: {
      204: { description: 'Nothing of it is kept.', ...noBody },
      ...usualRefusals,
      409: { description: 'It is finished, and a file now.', schema: failure },
    },
    async handle(request) {
      greet(request)
      const ref = { owner: request.principal.owner, resumableId: request.params.resumable_upload_id }
      await resumableStanding(parts, ref)
      await parts.turns.clear(ref.resumableId)
      const { finished } = await resumableStanding(parts, ref)
      if (finished) throw terminal('conflict', `It is finished: delete the file ${finished.fileId} instead.`)
      await parts.ports.resumables.drop(ref)
      return { status: 204, body: '' }
    },
  })
}
