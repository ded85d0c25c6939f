import { z } from 'zod'

import type { Uploads } from '../../actors/services.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway, failure, idText, truth } from '../wire.ts'
import { batchPath, notFoundBody } from './schemas.ts'

const batchDeleted = z
  .strictObject({
    deleted_batch_id: idText,
    deleted_file_ids: z.array(idText).describe('The files that went as a whole; none unless `files=true`.'),
    storage_objects_deleted: z.int(),
    jobs_cleaned: z.int(),
  })
  .meta({ id: 'BatchDeleted' })

export function deleteBatchRoute(ports: { readonly uploads: Uploads }): Route {
  return route({
    method: 'delete',
    path: '/transcribe/batch/{batch_id}',
    id: 'deleteBatch',
    summary: 'Delete a batch',
    description:
      'Stops a batch if it is under way, and removes it with its results, what was stored on the way, and what became of its calls. Recordings that were uploaded stay, since other batches may use them, unless `files=true`: then they are deleted as by DELETE /files, with their results in all batches.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({ files: truth('Whether its files go as well, wherever they are.') }),
    responses: {
      200: { description: 'It is gone.', schema: batchDeleted },
      400: { description: 'The id is not an id, or the parameter is wrong.', schema: failure },
      401: badToken,
      404: { description: 'There is no such batch of yours, or none any more.', schema: notFoundBody },
      503: dependencyAway,
    },
    async handle({ principal, params, query }) {
      const { batch_id: batchId } = params
      const deleted = await ports.uploads.purgeBatch({ owner: principal.owner, batchId, withFiles: query.files })
      if (!deleted) return notFound('batch')
      return {
        status: 200,
        body: {
          deleted_batch_id: batchId,
          deleted_file_ids: deleted.deletedFiles,
          storage_objects_deleted: deleted.objectsDeleted,
          jobs_cleaned: deleted.jobsCleaned,
        },
      }
    },
  })
}
