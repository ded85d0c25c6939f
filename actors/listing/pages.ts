import { madeAtMs } from '../ids.ts'
import type { FileId } from '../ids.ts'
import type { UploadStatus } from '../upload/state.ts'
import type { ListedFile, ListingQuery } from './ports.ts'

/**
 * A user's files as pages of fixed room, oldest first, and a head that says of each page how many files of which
 * status it holds. Any offset of any filter is found from the head alone, so that a listing reads one head and the pages
 * it shows. Pure: listing.ts does the reading and writing.
 */
export interface FilePage {
  readonly fileIds: readonly FileId[]
  /** One letter a file, in the same order. */
  readonly statuses: string
}

export interface PageSummary {
  /** Of the page this was counted from: an older count never replaces a newer one. */
  readonly revision: number
  readonly counts: StatusCounts
  /** When the oldest and the newest file were made, to find a file's page by its id. */
  readonly fromMs: number
  readonly toMs: number
}

type StatusCounts = readonly [pending: number, uploading: number, completed: number, failed: number]

/** As it is stored. The version before gave pages no numbers: a page's place was its number. */
export interface Head {
  readonly pages: readonly (PageSummary & { readonly page?: number })[]
}

/** In the order of their numbers. Pages that were emptied are left out, but for the last: the next number is known from it. */
export interface NumberedHead {
  readonly pages: readonly CountedPage[]
}

export interface CountedPage extends PageSummary {
  readonly page: number
}

export type ListingChange =
  | { readonly type: 'Append'; readonly file: ListedFile }
  | { readonly type: 'Mark'; readonly file: ListedFile }
  | { readonly type: 'Remove'; readonly fileId: FileId }

export const pageRoom = 512

const letters: Record<UploadStatus, string> = { pending: 'p', uploading: 'u', completed: 'c', failed: 'f' }
const order = ['p', 'u', 'c', 'f'] as const

const emptyHead: NumberedHead = { pages: [] }
export const emptyPage: FilePage = { fileIds: [], statuses: '' }

export function positionOf(page: FilePage, fileId: FileId): number {
  return page.fileIds.indexOf(fileId)
}

export function withFile(page: FilePage, file: ListedFile): FilePage {
  const position = positionOf(page, file.fileId)
  if (position < 0) return { fileIds: [...page.fileIds, file.fileId], statuses: page.statuses + letters[file.status] }
  const { statuses } = page
  if (statuses[position] === letters[file.status]) return page
  return { ...page, statuses: statuses.slice(0, position) + letters[file.status] + statuses.slice(position + 1) }
}

export function withoutFile(page: FilePage, fileId: FileId): FilePage {
  const position = positionOf(page, fileId)
  if (position < 0) return page
  return {
    fileIds: page.fileIds.toSpliced(position, 1),
    statuses: page.statuses.slice(0, position) + page.statuses.slice(position + 1),
  }
}

export function summarisePage(page: FilePage, revision: number): PageSummary {
  const times = page.fileIds.map(madeAtMs)
  const count = (letter: string): number => page.statuses.split(letter).length - 1
  return {
    revision,
    counts: [count(order[0]), count(order[1]), count(order[2]), count(order[3])],
    fromMs: times.length === 0 ? 0 : Math.min(...times),
    toMs: times.length === 0 ? 0 : Math.max(...times),
  }
}

export function numberedHead(stored: Head | undefined): NumberedHead {
  return stored ? { pages: stored.pages.map((page, at) => ({ ...page, page: page.page ?? at })) } : emptyHead
}

/** The head with one page counted anew, unless what it has is newer. */
export function withSummary(head: NumberedHead, page: number, summary: PageSummary): NumberedHead {
  const known = summaryOf(head, page)
  if (known && known.revision >= summary.revision) return head
  const others = head.pages.filter((one) => one.page !== page)
  return { pages: [...others, { ...summary, page }].sort((one, other) => one.page - other.page) }
}

export function summaryOf(head: NumberedHead, page: number): CountedPage | undefined {
  return head.pages.find((one) => one.page === page)
}

/** 0 while there is none. */
export function lastPageOf(head: NumberedHead): number {
  return head.pages.at(-1)?.page ?? 0
}

/** A user who deletes as much as they upload has a head that does not grow. */
export function withoutEmptied(head: NumberedHead): { head: NumberedHead; emptied: readonly CountedPage[] } {
  const last = lastPageOf(head)
  const isEmptied = (page: CountedPage): boolean => page.page !== last && countOf(page, undefined) === 0
  const emptied = head.pages.filter(isEmptied)
  return emptied.length === 0
    ? { head, emptied }
    : { head: { pages: head.pages.filter((one) => !isEmptied(one)) }, emptied }
}

/** Pages in which a file may be, newest first. The last page is always one: its summary may be behind. */
export function candidates(head: NumberedHead, fileId: FileId): number[] {
  const atMs = madeAtMs(fileId)
  const last = lastPageOf(head)
  return head.pages
    .filter(({ page, fromMs, toMs }) => page === last || (fromMs <= atMs && atMs <= toMs))
    .map(({ page }) => page)
    .toReversed()
}

export function total(head: NumberedHead, status: UploadStatus | undefined): number {
  return head.pages.reduce((sum, page) => sum + countOf(page, status), 0)
}

/** Which pages, newest first, hold the wanted stretch, and how many matches to skip in the first of them. */
export function locate(head: NumberedHead, query: ListingQuery): { pages: number[]; skip: number } {
  const pages: number[] = []
  let before = 0
  let skip = 0
  for (const summary of head.pages.toReversed()) {
    if (before >= query.offset + query.limit) break
    const count = countOf(summary, query.status)
    if (count > 0 && before + count > query.offset) {
      if (pages.length === 0) skip = query.offset - before
      pages.push(summary.page)
    }
    before += count
  }
  return { pages, skip }
}

/** The files of one page with this status, newest first. */
export function holdsStatus(page: FilePage, status: UploadStatus | undefined): FileId[] {
  const letter = status && letters[status]
  return page.fileIds.filter((_, index) => letter === undefined || page.statuses[index] === letter).toReversed()
}

function countOf(page: PageSummary, status: UploadStatus | undefined): number {
  if (status !== undefined) return page.counts[order.findIndex((letter) => letter === letters[status])] ?? 0
  return page.counts.reduce((sum, count) => sum + count, 0)
}
