import { commit } from '../durable-actor.ts'
import { inHandKey, uploadFolder, uploadKey } from '../ids.ts'
import type { FileId } from '../ids.ts'
import { decide } from './decide.ts'
import type { UploadCommand } from './protocol.ts'
import type { UploadPorts } from './record.ts'
import { isVisible } from './state.ts'
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
    for (const fileId of fileIds) await endFile(ports, fileId, reason)
  } else {
    await ports.listing.remove(owner, fileIds)
    await Promise.all(fileIds.map((fileId) => ports.files.remove(fileId)))
    if (upload.isStreamed) await ports.blobs.removeAll(uploadFolder(upload))
    await ports.uploads.remove(upload.uploadId)
  }
  await ports.inHand.remove(inHandKey(upload))
}

async function endFile(ports: UploadPorts, fileId: FileId, reason: string): Promise<void> {
  const file = (await ports.files.read(fileId))?.value
  if (!file || !isVisible(file)) return
  const ending = await endingOf(ports, file, reason)
  const { state } = await commit(ports.files, fileId, (stored) => ({
    state: stored && decide(stored, ending),
    effects: [],
  }))
  if (!state || !isVisible(state)) return
  // also when its gateway died before it was listed
  await ports.listing.append(state.owner, [state])
}

async function endingOf({ blobs }: UploadPorts, file: UploadedFile, reason: string): Promise<UploadCommand> {
  const storageKey = uploadKey(file)
  const stored = await blobs.stat(storageKey)
  return stored?.sizeBytes === file.sizeBytes ? { type: 'Stored', storageKey } : { type: 'GiveUp', reason }
}
