import type { Claim } from '../claim/state.ts'
import { commit } from '../durable-actor.ts'
import type { Records } from '../ports.ts'
import { eraseUploads } from './contents.ts'
import type { SpooledUpload } from './ports.ts'
import { forgetUpload, isRecorded, record } from './record.ts'
import type { UploadPorts } from './record.ts'
import type { Manifest, UploadRecord } from './state.ts'

export interface WithdrawPorts extends UploadPorts {
  readonly claims: Records<Claim>
}

/**
 * Takes back what an upload that was refused after all may have written. Its idempotency key is freed first: whoever
 * repeats the request either finds the key free or has been given this upload as the answer, and then it stays.
 */
export async function withdrawUpload(ports: WithdrawPorts, upload: SpooledUpload): Promise<'withdrawn' | 'stays'> {
  const { manifest } = upload
  if (!(await freeClaim(ports.claims, manifest))) {
    await upload.enter('committed')
    if ((await record(ports, upload)) === 'recorded') return 'stays'
  }
  const fileIds = manifest.files.map(({ fileId }) => fileId)
  await ports.listing.remove(manifest.owner, fileIds)
  await Promise.all(fileIds.map((fileId) => ports.files.remove(fileId)))
  await eraseUploads(ports, manifest.files)
  await ports.uploads.remove(manifest.uploadId)
  await forgetUpload(ports, upload)
  return 'withdrawn'
}

/** False when the key was answered with this upload meanwhile. */
async function freeClaim(claims: Records<Claim>, { claimKey, uploadId }: Manifest): Promise<boolean> {
  if (claimKey === undefined) return true
  const { state: claim } = await commit(claims, claimKey, (stored) => {
    const isOurs = stored?.state === 'running' && stored.id === uploadId
    return { state: isOurs ? free : stored, effects: [] }
  })
  return claim?.state !== 'answered' || claim.id !== uploadId
}

const free: Claim = { state: 'free' }

/** Sees to it that an upload which was never answered does not come any more. True when it had come. */
export async function takePlaceOf(uploads: Records<UploadRecord>, input: UnansweredUpload): Promise<boolean> {
  if (await hasCome(uploads, input)) return true
  // a key that was removed stays taken
  await uploads.remove(input.uploadId)
  return false
}

type UnansweredUpload = Pick<UploadRecord, 'owner' | 'uploadId'>

/** Of its records and what this puts in their place only one is made; asked again, it says the same. */
export async function hasCome(uploads: Records<UploadRecord>, input: UnansweredUpload): Promise<boolean> {
  const { owner, uploadId } = input
  if ((await uploads.create(uploadId, { owner, uploadId, fileIds: [] })) !== 'exists') return false
  return isRecorded(uploads, uploadId)
}
