import type { ExecutionContext, TestFn } from 'ava'

import type { FileId, UploadId } from '../../actors/ids.ts'
import { uploadKey } from '../../actors/ids.ts'
import type { UploadProgress } from '../../actors/upload/state.ts'
import { batchesIn } from './batches.ts'
import type { StoredBatches } from './batches.ts'
import { aFile, aFileId, anUploadId } from './builders.ts'
import { sharedService } from './service.ts'
import type { SharedService, TestUser } from './service.ts'

interface BatchService {
  readonly shared: SharedService
  user(t: ExecutionContext): Promise<TestUser>
  records(): Promise<StoredBatches>
  /** Whose files are there already, each in the state that is given. */
  uploader(t: ExecutionContext, ...statuses: readonly UploadProgress['status'][]): Promise<Uploader>
}

interface Uploader extends TestUser, LaidUpload {
  readonly uploadMore: (...statuses: readonly UploadProgress['status'][]) => Promise<LaidUpload>
}

interface LaidUpload {
  readonly uploadId: UploadId
  readonly fileIds: readonly FileId[]
  readonly keyOf: (fileId: FileId) => string
}

/** One broker and one gateway for all tests of a file, and everything behind them. */
export function batchService(test: TestFn, environment: Record<string, string> = {}): BatchService {
  const shared = sharedService(test, environment)
  let opened: Promise<StoredBatches> | undefined
  const records = (): Promise<StoredBatches> => (opened ??= batchesIn(shared))
  return {
    shared,
    user: (t) => shared.user(t),
    records,
    async uploader(t, ...statuses) {
      const user = await shared.user(t)
      const uploadMore = async (...more: typeof statuses): Promise<LaidUpload> => upload(await records(), user, more)
      return { ...user, ...(await uploadMore(...statuses)), uploadMore }
    },
  }
}

async function upload(
  records: StoredBatches,
  { owner }: TestUser,
  statuses: readonly UploadProgress['status'][],
): Promise<LaidUpload> {
  const uploadId = anUploadId()
  const fileIds = statuses.map(() => aFileId())
  const keyOf = (fileId: FileId): string => uploadKey({ owner, uploadId, fileId })
  await Promise.all(
    statuses.map((status, at) => {
      const fileId = fileIds[at]!
      const file = aFile(status, { owner, uploadId, fileId, filename: `${at}.wav`, durationSeconds: 10 })
      return records.files.create(fileId, file.status === 'completed' ? { ...file, storageKey: keyOf(fileId) } : file)
    }),
  )
  const facts = { uploadId, owner, acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: 'none' }
  await records.uploads.create(uploadId, { ...facts, fileIds })
  return { uploadId, fileIds, keyOf }
}
