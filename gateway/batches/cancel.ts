import { z } from 'zod'

import type { BatchId, FileId, Owner } from '../../actors/ids.ts'
import type { Batches } from '../../actors/services.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure, idText } from '../wire.ts'
import { badNames, takesNamedFiles } from './named-files.ts'
import { batchPath, notFoundBody } from './schemas.ts'

interface CancelRoutePorts {
  readonly submissions: Pick<Batches, 'cancel'>
}

const cancelled = z
  .strictObject({ batch_id: idText, files_cancelled: z.int().describe('Files that end with what is done of them.') })
  .meta({
    id: 'CancelledBatch',
    examples: [{ batch_id: '01900000-0000-7000-8000-000000000000', files_cancelled: 3 }],
  })

const answers = {
  202: { description: 'No more of it is begun, and what is under way ends within seconds.', schema: cancelled },
  401: badToken,
  404: { description: 'There is no such batch of yours.', schema: notFoundBody },
  503: dependencyAway,
}

export function cancelRoute(ports: CancelRoutePorts): Route {
  return route({
    method: 'post',
    path: '/transcribe/batch/{batch_id}/cancel',
    id: 'cancelBatch',
    summary: 'Cancel a batch',
    description:
      'Ends what of a batch is not done. Recordings and what is transcribed stay: a file of which chunks are done has them, with gaps, and one of which none is has failed with the code `cancelled`. Both may be tried again later, and go on where they ended. Of a batch that has ended nothing is cancelled.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    responses: { ...answers, 400: badQuery },
    handle: ({ principal, params }) => cancel(ports, principal.owner, { batchId: params.batch_id }),
  })
}

export function cancelFilesRoute(ports: CancelRoutePorts): Route {
  return route({
    ...takesNamedFiles,
    method: 'post',
    path: '/transcribe/batch/{batch_id}/cancel_files',
    id: 'cancelFiles',
    summary: 'Cancel single files',
    description: 'As for the whole batch, for files of it that wait or are under way and are named. The others go on.',
    access: 'user',
    responses: {
      ...answers,
      ...badNames,
      409: { description: 'A file is not under way in this batch; `file_ids` says which.', schema: failure },
    },
    handle: ({ principal, params, body }) =>
      cancel(ports, principal.owner, { batchId: params.batch_id, fileIds: new Set(body.file_ids) }),
  })
}

async function cancel(
  { submissions }: CancelRoutePorts,
  owner: Owner,
  { batchId, fileIds }: { readonly batchId: BatchId; readonly fileIds?: ReadonlySet<FileId> },
): Promise<Answer> {
  const files = await submissions.cancel({ owner, batchId }, fileIds)
  if (files === undefined) return notFound('batch')
  return { status: 202, body: { batch_id: batchId, files_cancelled: files } }
}
