import { z } from 'zod'

import { FailureError, terminal } from '../../actors/failure.ts'
import type { ResumableRef, UploadId } from '../../actors/ids.ts'
import type { ReceivedBytes, ResumableUploads } from '../../actors/upload/ports.ts'
import type { ResumableUpload } from '../../actors/upload/state.ts'
import { acceptOne, uploadAnswers } from '../files/accept.ts'
import type { AcceptPorts } from '../files/accept.ts'
import { receiveOne } from '../files/intake.ts'
import { presentRejected } from '../files/present.ts'
import { claimKey, underKey } from '../idempotency.ts'
import type { ClaimOutcome } from '../idempotency.ts'
import { locked } from './turns.ts'

export interface FinishPorts extends AcceptPorts {
  readonly resumables: ResumableUploads
}

/** What a resumable upload became. */
export interface FinishedUpload {
  readonly batchUploadId: string
  readonly fileId: string
  readonly filename: string
  readonly sizeBytes: number
  /** Its user had the same bytes stored already. */
  readonly isDeduplicated: boolean
}

/**
 * Makes an upload of which all bytes are there what `POST /files/upload` would have made of them, under a key as clients may give one
 * there: of several gateways that are asked to, and of those that died over it, one does it.
 */
export async function finishUpload(
  ports: FinishPorts,
  upload: ResumableUpload,
  received: ReceivedBytes,
): Promise<FinishedUpload> {
  const answers = { ...ports, ...uploadAnswers(ports, upload.owner) }
  const claimed = { key: keyOf(upload), id: ports.ids.nextUploadId() }
  const body = await underKey(answers, claimed, async (claim) =>
    'first' in claim ? claim.first.body : keep(ports, { upload, received, claim, uploadId: claimed.id }),
  ).catch((error: unknown) => {
    throw error instanceof FailureError && error.failure.code === 'conflict' ? locked(error) : error
  })
  await ports.resumables.drop(upload)
  const finished = finishedIn(body)
  if (!finished) throw terminal('not_found', 'upload not found')
  return finished
}

/** Nothing when it was not finished, or too long ago. */
export async function finishedUpload(ports: FinishPorts, ref: ResumableRef): Promise<FinishedUpload | undefined> {
  const claim = (await ports.claims.read(keyOf(ref)))?.value
  if (claim?.state === 'answered') return finishedIn(claim.body)
  if (claim?.state !== 'running') return undefined
  // it was accepted, and the broker did not take the note of it
  const uploadId = claim.id as UploadId // as: keys of this scope are for uploads
  return finishedIn((await uploadAnswers(ports, ref.owner).answerOf(uploadId))?.body)
}

/** Nobody can give it: keys that clients give are of another scope. */
function keyOf({ owner, resumableId }: ResumableRef): string {
  return claimKey('resumable', owner, resumableId)
}

interface Keeping {
  readonly upload: ResumableUpload
  readonly received: ReceivedBytes
  readonly claim: Extract<ClaimOutcome, { held: unknown }>
  readonly uploadId: UploadId
}

async function keep(ports: FinishPorts, { upload, received, claim, uploadId }: Keeping): Promise<unknown> {
  const { owner, filename: name, sizeBytes } = upload
  const startedMs = ports.clock.elapsedMs()
  const reception = await ports.receiving.receive({ uploadId, owner, expectedBytes: sizeBytes })
  try {
    const content = received.content()
    const place = { uploadId, reception, isApart: upload.isApart === true }
    const file = await receiveOne(ports, place, { owner, name, content, tooLarge: '' })
    if ('reason' in file) {
      await ports.resumables.drop(upload)
      throw terminal('invalid_request', {
        message: `Nothing was kept. ${file.reason}`,
        rejected_files: presentRejected([file]),
      })
    }
    return (await acceptOne(ports, { file, startedMs, reception, claim })).body
  } finally {
    await reception.discard()
  }
}

/** Of the answer that was noted: another version may have noted more. */
const notedFile = z.looseObject({
  file_id: z.string(),
  filename: z.string(),
  size_bytes: z.int(),
  deduplicated: z.boolean().default(false),
})
const notedAnswer = z.looseObject({
  batch_upload_id: z.string(),
  files: z.tuple([notedFile], z.unknown()),
})

function finishedIn(body: unknown): FinishedUpload | undefined {
  const noted = notedAnswer.safeParse(body).data
  if (!noted) return undefined
  const { file_id: fileId, filename, size_bytes: sizeBytes, deduplicated: isDeduplicated } = noted.files[0]
  return { batchUploadId: noted.batch_upload_id, fileId, filename, sizeBytes, isDeduplicated }
}
