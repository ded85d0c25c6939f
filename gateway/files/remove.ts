import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import { isFileId } from '../../actors/ids.ts'
import type { Uploads } from '../../actors/services.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badBody, badToken, dependencyAway, failure, shortenId, takesNothing } from '../wire.ts'
import { deleteRequest, deleteResult } from './schemas.ts'

export function deleteFilesRoute(ports: { readonly uploads: Uploads }): Route {
  return route({
    method: 'delete',
    path: '/files',
    id: 'deleteFiles',
    summary: 'Delete files',
    description:
      'Removes files with their stored objects, records and transcription jobs: all of them, or, when one id is not yours, none.',
    access: 'user',
    ...takesNothing,
    body: { contentType: 'application/json', description: 'Which files.', schema: deleteRequest },
    responses: {
      200: { description: 'They are gone.', schema: deleteResult },
      400: { description: 'The body is wrong.', schema: failure },
      401: badToken,
      404: { description: 'One of the files is not yours or does not exist; nothing was deleted.', schema: failure },
      ...badBody,
      503: dependencyAway,
    },
    async handle({ principal, body }) {
      const malformed = body.file_ids.filter((id) => !isFileId(id))
      if (malformed.length > 0) throw someMissing(malformed.map(shortenId))
      const outcome = await ports.uploads.purge(principal.owner, body.file_ids.filter(isFileId))
      if (outcome.missing) throw someMissing(outcome.missing)
      return {
        status: 200,
        body: {
          deleted_file_ids: outcome.deleted,
          deleted_count: outcome.deleted.length,
          storage_objects_deleted: outcome.objectsDeleted,
          jobs_cleaned: outcome.jobsCleaned,
        },
      }
    },
  })
}

function someMissing(fileIds: readonly string[]): FailureError {
  return terminal('not_found', { message: 'Some files were not found; nothing was deleted.', file_ids: fileIds })
}
