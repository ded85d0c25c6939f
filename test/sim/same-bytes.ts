import { uploadKey } from '../../actors/ids.ts'
import { contentKey, isVisible } from '../../actors/upload/state.ts'
import type { CompletedFile } from '../../actors/upload/state.ts'
import type { Platform } from './platform-parts.ts'
import { createRandom } from './random.ts'
import { uploadedFile } from './submission.ts'

const sharingChance = 0.4

/** What was uploaded before anything else happens. In some seeds, drawn apart from the rest, all that a user sent has the same bytes. */
export function seedUploads(platform: Platform, seed: number): void {
  const isSharing = createRandom(seed, 'same bytes').chance(sharingChance)
  for (const [fileId, { owner, source }] of platform.scenario.recordings) {
    if (source !== 'upload') continue
    const file = uploadedFile(owner, fileId)
    seedUpload(platform, isSharing ? sharing(platform, file) : file)
  }
}

/** Refers to what the first of its user came with. */
function sharing({ contents, world }: Platform, file: CompletedFile): CompletedFile {
  const key = contentKey(file)
  const { storageKey, holders } = contents.get(key) ?? { storageKey: uploadKey(file), holders: [] }
  contents.seed(key, { storageKey, holders: [...holders, file.fileId] })
  if (holders.length > 0) world.count('the same bytes')
  return { ...file, storageKey, isShared: true }
}

function seedUpload({ files, uploads, objects, listed }: Platform, file: CompletedFile): void {
  const { fileId, uploadId, owner, acceptedAtMs, storageKey } = file
  files.seed(fileId, file)
  uploads.seed(uploadId, {
    uploadId,
    owner,
    fileIds: [fileId],
    acceptedAtMs,
    spoolSeconds: 0,
    rejected: [],
    fingerprint: '',
  })
  objects.seed(storageKey, 'sound')
  listed.add(fileId)
}

/** What files that can be seen refer to. */
export function bytesReferredTo({ files }: Platform): ReadonlySet<string> {
  const seen = files.keys().flatMap((key) => files.get(key) ?? [])
  return new Set(seen.flatMap((file) => (isVisible(file) && file.status === 'completed' ? file.storageKey : [])))
}

/** The bytes of a file are there as long as it is, and who refers to them is noted no longer than that. */
export function checkSameBytes(platform: Platform): string[] {
  const { objects, contents } = platform
  const referred = bytesReferredTo(platform)
  return [
    ...[...referred].filter((key) => objects.get(key) === undefined).map((key) => `I1: the bytes ${key} are lost`),
    ...contents
      .keys()
      .filter((key) => !referred.has(contents.get(key)?.storageKey ?? ''))
      .map((key) => `I12: the set ${key} of nobody is left`),
  ]
}
