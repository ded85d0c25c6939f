import type { Claim } from '../claim/state.ts'
import type { Records, SpooledUpload } from '../ports.ts'
import { record } from './runner.ts'
import type { UploadPorts } from './runner.ts'
import { withdrawnUpload } from './state.ts'
import type { Manifest, Upload } from './state.ts'

export interface WithdrawPorts extends UploadPorts {
  readonly claims: Records<Claim>
}

/**
 * Takes back what an upload that was refused after all may have written. Its idempotency key is freed first: whoever
 * repeats the request either finds the key free or has been given this upload as the answer, and then it stays.
 */
export async function withdraw(ports: WithdrawPorts, upload: SpooledUpload): Promise<'withdrawn' | 'stays'> {
  const { manifest } = upload
  if (!(await freeClaim(ports.claims, manifest))) {
    await upload.enter('committed')
    if ((await record(ports, upload)) === 'recorded') return 'stays'
  }
  const fileIds = manifest.files.map(({ fileId }) => fileId)
  await ports.listing.remove(manifest.owner, fileIds)
  await Promise.all(fileIds.map((fileId) => ports.files.remove(fileId)))
  await ports.uploads.remove(manifest.uploadId)
  await upload.finish()
  return 'withdrawn'
}

/** False when the key was answered with this upload meanwhile. */
async function freeClaim(claims: Records<Claim>, { claimKey, uploadId }: Manifest): Promise<boolean> {
  if (claimKey === undefined) return true
  for (;;) {
    const claim = await claims.read(claimKey)
    if (!claim || claim.value.state === 'free' || claim.value.id !== uploadId) return true
    if (claim.value.state === 'answered') return false
    if ((await claims.replace(claimKey, { state: 'free' }, claim.revision)) !== 'conflict') return true
  }
}

/**
 * Sees to it that an upload which was never answered does not come any more: of its records and this only one is made. True when it had
 * come.
 */
export async function takePlaceOf(uploads: Records<Upload>, of: Pick<Upload, 'owner' | 'uploadId'>): Promise<boolean> {
  if ((await uploads.create(of.uploadId, withdrawnUpload(of))) === 'exists') return true
  // a key that was removed stays taken
  await uploads.remove(of.uploadId)
  return false
}
