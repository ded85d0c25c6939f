import { z } from 'zod'

import type { Batches } from '../../actors/services.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badBody, badToken, dependencyAway, failure, idText } from '../wire.ts'
import { batchName, batchPath, batchNameShown, notFoundBody } from './schemas.ts'

interface RenamePorts {
  readonly submissions: Pick<Batches, 'rename'>
}

const exampleId = '01900000-0000-7000-8000-000000000000'

const renameRequest = z
  .strictObject({ name: batchName.describe('Empty: none.') })
  .meta({ id: 'RenameRequest', examples: [{ name: 'Calls of Monday' }] })

const renamed = z
  .strictObject({ batch_id: idText, name: batchNameShown })
  .meta({ id: 'RenamedBatch', examples: [{ batch_id: exampleId, name: 'Calls of Monday' }] })

export function renameBatchRoute({ submissions }: RenamePorts): Route {
  return route({
    method: 'patch',
    path: '/transcribe/batch/{batch_id}',
    id: 'renameBatch',
    summary: 'Rename a batch',
    description: 'Calls a batch something else, or nothing, also after its end. Of two who do, the later one is heard.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    body: { contentType: 'application/json', schema: renameRequest, description: 'What it is called.' },
    responses: {
      200: { description: 'It is called so from now on.', schema: renamed },
      400: { description: 'The name is too long, or more than one line of text.', schema: failure },
      401: badToken,
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
      ...badBody,
      503: dependencyAway,
    },
    async handle({ principal: { owner }, params: { batch_id: batchId }, body }) {
      const batch = await submissions.rename({ owner, batchId }, body.name)
      if (!batch) return notFound('batch')
      return { status: 200, body: { batch_id: batchId, ...(batch.name !== undefined && { name: batch.name }) } }
    },
  })
}
