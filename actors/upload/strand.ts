import { commit } from '../durable-actor.ts'
import { inHandKey, uploadFolder, uploadKey } from '../ids.ts'
import { eraseUpload, joinedContent } from './contents.ts'
import type { HeldFile } from './contents.ts'
import { decide, isUploadSettled } from './decide.ts'
import type { UploadCommand } from './protocol.ts'
import type { UploadPorts } from './record.ts'
import { removeUpload, storeSidecar } from './sidecar.ts'
import { broughtBy, isVisible } from './state.ts'
import type { UploadedFile, UploadInHand } from './state.ts'
import { hasCome } from './withdraw.ts'

/**
 * Ends what a gateway had in hand that does not come back, and whose spool nobody else can reach: what has come to storage is completed, the
 * rest failed, and what was never answered is cleared away. Harmless when two do it, or when that gateway comes back after all: of
 * two endings the first stays.
 */
export async function endStranded(ports: UploadPorts, upload: UploadInHand, reason: string): Promise<void> {
  const { owner, fileIds } = upload
  if (await hasCome(ports.uploads, upload)) {
    for (const left of filesOf(upload)) await endFile(ports, left, reason)
  } else {
    await ports.listing.remove(owner, fileIds)
    await Promise.all(fileIds.map((fileId) => ports.files.remove(fileId)))
    await clearAway(ports, upload)
    await ports.uploads.remove(upload.uploadId)
  }
  await ports.inHand.remove(inHandKey(upload))
}

/**
 * It may also have come, and been deleted since: then others may refer to what lies there, and its note says which files those are, or is gone with
 * its last step. The one that is given may be older than that.
 */
async function clearAway(ports: UploadPorts, upload: UploadInHand): Promise<void> {
  const now = (await ports.inHand.read(inHandKey(upload)))?.value
  if (!now) return
  for (const left of filesOf(now)) await eraseLate(ports, left)
  if (now.isStreamed && !now.hashes) await ports.blobs.removeAll(uploadFolder(now))
}

/** Null: it is stored by itself. Absent in notes of versions that know no hashes, of whose files others may refer to what came since. */
type LeftFile = Omit<HeldFile, 'sha256'> & { readonly sha256: string | null | undefined }

function filesOf({ owner, uploadId, fileIds, hashes }: UploadInHand): LeftFile[] {
  return fileIds.map((fileId, at) => ({ owner, uploadId, fileId, sha256: hashes?.[at] }))
}

/** Who died may have come after the deletion, which found nothing to take along then (I12). */
async function eraseLate(ports: UploadPorts, { sha256, ...left }: LeftFile): Promise<void> {
  if (sha256 === null) await removeUpload(ports.blobs, left)
  else if (sha256 !== undefined) await eraseUpload(ports, { ...left, sha256 })
}

async function endFile(ports: UploadPorts, left: LeftFile, reason: string): Promise<void> {
  const { fileId } = left
  const file = (await ports.files.read(fileId))?.value
  if (!file || !isVisible(file)) return eraseLate(ports, left)
  const ending = isUploadSettled(file) ? undefined : await endingOf(ports, file, reason)
  const { state } = await commit(ports.files, fileId, (stored) => ({
    state: stored && ending ? decide(stored, ending) : stored,
    effects: [],
  }))
  // deleted meanwhile: nothing else knows of what was written beside it (I12)
  if (!state || !isVisible(state)) return void (await eraseUpload(ports, file))
  // also when its gateway died before it was listed
  await ports.listing.append(state.owner, [state])
  // what went straight into storage, and was there already
  if (broughtBy(state)) await ports.blobs.remove(uploadKey(state))
}

async function endingOf(ports: UploadPorts, file: UploadedFile, reason: string): Promise<UploadCommand> {
  const own = uploadKey(file)
  const storageKey = (await joinedContent(ports, file)) ?? own
  const stored = await ports.blobs.stat(storageKey)
  if (stored?.sizeBytes !== file.sizeBytes) return { type: 'GiveUp', reason }
  if (storageKey !== own) await storeSidecar(ports.blobs, file, storageKey)
  return { type: 'Stored', storageKey }
}
