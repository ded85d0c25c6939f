import type { FileId, Owner } from '../ids.ts'
import type { UploadStatus } from '../upload/state.ts'

/** Which files a user has, newest first, countable by status. Costs follow the page, not the user's history. */
export interface Listing {
  append(owner: Owner, files: readonly ListedFile[]): Promise<void>
  mark(owner: Owner, files: readonly ListedFile[]): Promise<void>
  remove(owner: Owner, files: readonly FileId[]): Promise<void>
  page(owner: Owner, query: ListingQuery): Promise<ListingPage>
}

export interface ListingQuery {
  readonly offset: number
  readonly limit: number
  readonly status?: UploadStatus | undefined
}

export interface ListedFile {
  readonly fileId: FileId
  readonly status: UploadStatus
}

export interface ListingPage {
  readonly total: number
  readonly fileIds: readonly FileId[]
}
