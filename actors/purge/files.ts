import { commit } from '../durable-actor.ts'
import type { FileId, UploadId } from '../ids.ts'
import type { ContentPorts } from '../upload/contents.ts'
import { decide } from '../upload/decide.ts'
import type { UploadPorts } from '../upload/record.ts'
import { isVisible } from '../upload/state.ts'
import type { UploadedFile } from '../upload/state.ts'

type PurgeFilesPorts = ContentPorts & Pick<UploadPorts, 'uploads'>

/** Nobody sees them any more. Resolves with those that were uploaded and are still there. */
export async function buryFiles({ files }: PurgeFilesPorts, fileIds: readonly FileId[]): Promise<UploadedFile[]> {
  const buried = await Promise.all(
    fileIds.map((fileId) =>
      commit(files, fileId, (file) => ({ state: file && decide(file, { type: 'Purge' }), effects: [] })),
    ),
  )
  return buried.flatMap(({ state }) => state ?? [])
}

/** Their uploads go before the last file of them does: only files know which upload they came with. Resolves with those. */
export async function forgetFiles(ports: PurgeFilesPorts, purged: readonly UploadedFile[]): Promise<UploadId[]> {
  const uploadIds = new Set<UploadId>(purged.map(({ uploadId }) => uploadId))
  const gone: UploadId[] = []
  for (const uploadId of uploadIds) {
    const upload = await ports.uploads.read(uploadId)
    if (!upload) continue
    const left = await Promise.all(upload.value.fileIds.map((fileId) => ports.files.read(fileId)))
    if (left.some((file) => file && isVisible(file.value))) continue
    await ports.uploads.remove(uploadId)
    gone.push(uploadId)
  }
  await Promise.all(purged.flatMap((file) => (outlives(file) ? [] : ports.files.remove(file.fileId))))
  return gone
}

/**
 * To older versions a missing record means that what a file came with is nobody's, and they would remove it with what they find in a spool. One that
 * they cannot read stays, out of sight, until its mark is erased.
 */
function outlives(file: UploadedFile): boolean {
  return file.status === 'purging' && file.isShared === true
}
