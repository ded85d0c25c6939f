import { z } from 'zod'

import type { BatchId, FileId, Owner } from '../../actors/ids.ts'
import type { Ids } from '../../actors/ports.ts'
import type { Batches } from '../../actors/services.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badQuery, badToken, failure } from '../wire.ts'
import { badNames, takesNamedFiles } from './named-files.ts'
import { ownedBatch } from './read.ts'
import type { BatchReadPorts } from './read.ts'
import { batchAccepted, batchPath, notFoundBody } from './schemas.ts'
import { inSeconds } from './status.ts'
import { placeOf, presentSubmitted } from './submit.ts'

interface RetryRoutePorts extends Pick<BatchReadPorts, 'batches'> {
  readonly submissions: Batches
  readonly ids: Ids
}

const answers = {
  200: {
    description: 'A new batch, accepted like any other; `Location` is where to watch it.',
    schema: batchAccepted,
  },
  401: badToken,
  404: { description: 'There is no such batch of yours.', schema: notFoundBody },
  429: { description: 'Your quota is used up; see Retry-After.', schema: failure },
  503: { description: 'The queue is full, or a dependency is away; see Retry-After.', schema: failure },
}

export function retryRoute(ports: RetryRoutePorts): Route {
  return route({
    method: 'post',
    path: '/transcribe/batch/{batch_id}/retry',
    id: 'retryBatch',
    summary: 'Try again what failed',
    description:
      'Submits the files of a batch that failed or have gaps once more, as a batch of its own with the same options. Of a file that has gaps only the chunks that failed are transcribed again, as long as their sound is kept (SAVE_AUDIO_DATA). The batch itself stays as it ended and says `retried_as`; results of a file are those of its newest transcription.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    responses: {
      ...answers,
      400: badQuery,
      409: {
        description: 'The batch, or its newest retry, is still under way; or nothing in it failed.',
        schema: failure,
      },
    },
    handle: ({ principal, params }) => retry(ports, principal.owner, { batchId: params.batch_id }),
  })
}

export function retryFilesRoute(ports: RetryRoutePorts): Route {
  return route({
    ...takesNamedFiles,
    method: 'post',
    path: '/transcribe/batch/{batch_id}/retry_files',
    id: 'retryFiles',
    summary: 'Try again single files',
    description:
      'As for the whole batch, for files that failed or have gaps in it and are named; also while others of it are under way. The others stay to be tried again later, and these are not tried again with them. `can_retry` of a file says whether it may help.',
    access: 'user',
    responses: {
      ...answers,
      ...badNames,
      409: {
        description: 'A file did not fail in this batch, or is tried again already; `file_ids` says which.',
        schema: failure,
      },
    },
    handle: ({ principal, params, body }) =>
      retry(ports, principal.owner, { batchId: params.batch_id, fileIds: new Set(body.file_ids) }),
  })
}

async function retry(
  ports: RetryRoutePorts,
  owner: Owner,
  { batchId, fileIds }: { readonly batchId: BatchId; readonly fileIds?: ReadonlySet<FileId> },
): Promise<Answer> {
  const batch = await ownedBatch(ports, owner, batchId)
  if (!batch) return notFound('batch')
  const retried = await ports.submissions.retry(batch, ports.ids.nextBatchId(), fileIds)
  const note = { estimated_completion_seconds: inSeconds(retried.secondsUntilDone) }
  return {
    status: 200,
    body: presentSubmitted(retried.batch, retried.members, note),
    headers: { Location: placeOf(retried.batch.batchId) },
  }
}
