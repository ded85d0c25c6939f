import type { FileId } from '../ids.ts'
import type { UploadStatus } from '../upload/state.ts'
import { openListing } from './listing.ts'
import type { ListingKind, ListingRecords } from './listing.ts'
import type { FileWalk, OwnerHoldings, ListedFile, Listing } from './ports.ts'

/** As it is stored. */
export interface FilePage {
  readonly fileIds: readonly FileId[]
  /** One letter a file, in the same order. */
  readonly statuses: string
  readonly sizes?: readonly number[]
}

const files: ListingKind<FileId, UploadStatus, FilePage> = {
  letters: { pending: 'p', uploading: 'u', completed: 'c', failed: 'f' },
  pageOf: ({ fileIds: ids, ...rest }) => ({ ids, ...rest }),
  stored: ({ ids: fileIds, ...rest }) => ({ fileIds, ...rest }),
}

export function openFileListing(records: ListingRecords<FilePage>, room?: number): Listing & FileWalk & OwnerHoldings {
  const listing = openListing(files, records, room)
  const entryOf = ({ fileId, status, sizeBytes }: ListedFile) => ({ id: fileId, status, sizeBytes })
  return {
    append: (owner, added) => listing.append(owner, added.map(entryOf)),
    mark: (owner, marked) => listing.mark(owner, marked.map(entryOf)),
    remove: (owner, fileIds) => listing.remove(owner, fileIds),
    async page(owner, query) {
      const { total, ids: fileIds } = await listing.page(owner, query)
      return { total, fileIds }
    },
    walk: (owner, query) => listing.walk(owner, query),
    held: (owner) => listing.held(owner),
  }
}
