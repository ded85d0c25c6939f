import { createHash } from 'node:crypto'

import type { Owner, UploadId } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import type { FileRecords, Reception } from '../../actors/upload/ports.ts'
import { broughtBy, isVisible, isWithdrawn } from '../../actors/upload/state.ts'
import type { FileFacts, Manifest, RejectedFile, UploadRecord } from '../../actors/upload/state.ts'
import type { Answers, ClaimOutcome, FirstAnswer, IdempotencyPorts } from '../idempotency.ts'
import type { Answer } from '../route.ts'
import { keepFiles } from './intake.ts'
import type { IntakePorts } from './intake.ts'
import { presentUploaded } from './present.ts'

/** What makes an upload that was received one that is accepted, however it came. */

export interface AcceptPorts extends IdempotencyPorts, IntakePorts {
  readonly uploadRecords: Records<UploadRecord>
  readonly fileRecords: FileRecords
}

interface ReceivedUpload {
  readonly manifest: Manifest
  readonly reception: Reception
  readonly claim: Extract<ClaimOutcome, { held: unknown }> | undefined
}

export async function acceptUpload(ports: AcceptPorts, input: ReceivedUpload): Promise<Answer> {
  const { manifest } = input
  const known = await keepFiles(ports, manifest, input.reception)
  const answer = { status: 202, body: presentUploaded(manifest, manifest.files, (file) => known.get(file.fileId)) }
  // accepted is accepted: without the note a repetition finds the records instead
  await input.claim?.held
    .answer({ ...answer, fingerprint: manifest.fingerprint })
    .catch((error: unknown) => ports.log.warn('answer not noted under its key', { error }))
  await ports.faults.point('upload.before-answer')
  return { ...answer, headers: { Location: `/files/upload/${manifest.uploadId}` } }
}

interface ReceivedFile extends Pick<ReceivedUpload, 'reception'> {
  readonly file: FileFacts
  readonly startedMs: number
  readonly claim: Extract<ClaimOutcome, { held: unknown }>
}

/** An upload of one file that did not come as a form. */
export function acceptOne(ports: AcceptPorts, { file, startedMs, reception, claim }: ReceivedFile): Promise<Answer> {
  const manifest: Manifest = {
    uploadId: file.uploadId,
    owner: file.owner,
    acceptedAtMs: ports.clock.nowMs(),
    spoolSeconds: Math.round(ports.clock.elapsedMs() - startedMs) / 1000,
    rejected: [],
    fingerprint: fingerprintOf([file], []),
    files: [file],
    claimKey: claim.held.key,
  }
  return acceptUpload(ports, { manifest, reception, claim })
}

/** What is known of uploads of this user that came under a key. */
export function uploadAnswers(ports: AcceptPorts, owner: Owner): Answers<UploadId> {
  return {
    answerOf: (uploadId) => answerOf(ports, uploadId),
    withdraw: async (uploadId) =>
      (await ports.uploads.withdraw({ owner, uploadId })) ? answerOf(ports, uploadId) : undefined,
  }
}

async function answerOf(ports: AcceptPorts, uploadId: UploadId): Promise<FirstAnswer | undefined> {
  const upload = await ports.uploadRecords.read(uploadId)
  if (!upload || isWithdrawn(upload.value)) return undefined
  const files = await ports.fileRecords.readMany(upload.value.fileIds)
  const present = upload.value.fileIds.flatMap((id) => files.get(id) ?? []).filter(isVisible)
  return {
    fingerprint: upload.value.fingerprint,
    status: 202,
    body: presentUploaded(upload.value, present, broughtBy),
  }
}

export function fingerprintOf(files: readonly FileFacts[], rejected: readonly RejectedFile[]): string {
  const contents = [
    ...files.map(({ filename, sha256 }) => [filename, sha256]),
    ...rejected.map(({ filename, sizeBytes }) => [filename, sizeBytes]),
  ]
  return createHash('sha256').update(JSON.stringify(contents)).digest('base64url')
}
