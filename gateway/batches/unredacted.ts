import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { unredactedKey } from '../../actors/ids.ts'
import { readStoredJson } from '../../actors/stored-json.ts'
import type { UnredactedTranscript } from '../../actors/transcript/state.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure, idText } from '../wire.ts'
import { hasTranscript } from './details.ts'
import { findFile } from './find-file.ts'
import type { FindPorts } from './find-file.ts'
import { transcript } from './result-schemas.ts'
import { filePath, notFoundBody } from './schemas.ts'

const unredactedResult = z
  .strictObject({ file_id: idText, filename: z.string(), result: transcript })
  .meta({ id: 'UnredactedResult' })

/** Apart from every other way to read: no share link comes here, and who did is in the audit log. */
export function unredactedRoute(ports: FindPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/results/file/{file_id}/unredacted',
    id: 'getUnredactedResult',
    summary: 'Read what was taken out of a transcript',
    description:
      'The newest transcription of a file as it was transcribed, with all that `redact` took out of it, where `keep_unredacted` was asked for. It is for its user alone, and is never edited, searched or shared.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'The transcript.', schema: unredactedResult },
      400: badQuery,
      401: badToken,
      404: { description: 'No file of yours with this id was ever submitted.', schema: notFoundBody },
      409: { description: 'There is no transcript yet, or what was taken out of it was not kept.', schema: failure },
      503: dependencyAway,
    },
    async handle({ principal, params }) {
      const file = await findFile(ports, principal.owner, params.file_id)
      if (!file) return notFound('file')
      if (!hasTranscript(file)) throw terminal('conflict', 'There is no transcript of this file yet.')
      const stored = await readStoredJson<UnredactedTranscript>(ports.blobs, unredactedKey(file.ref))
      if (!stored) throw terminal('conflict', 'What was taken out of this transcript was not kept, or nothing was.')
      const { ref, filename } = file
      const headers = { 'Cache-Control': 'no-store' }
      return { status: 200, body: { file_id: ref.fileId, filename, result: stored.result }, headers }
    },
  })
}
