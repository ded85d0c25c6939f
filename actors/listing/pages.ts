import { madeAtMs } from '../ids.ts'
import type { BatchId, FileId } from '../ids.ts'

/** Begins with the time when it was made. */
export type ListedId = FileId | BatchId

/**
 * What a user has of one kind as pages of fixed room, oldest first, and a head that says of each page how many of which
 * status it holds. Any offset of any filter is found from the head alone, so that a listing reads one head and the pages
 * it shows. Pure: listing.ts does the reading and writing.
 */
export interface IdPage<Id extends ListedId> {
  readonly ids: readonly Id[]
  /** One letter each, in the same order. */
  readonly statuses: string
  /** In bytes, in the same order, of what has a size; what the version before listed has none. */
  readonly sizes?: readonly number[]
}

export interface PageSummary {
  /** Of the page this was counted from: an older count never replaces a newer one. */
  readonly revision: number
  readonly counts: StatusCounts
  /** When the oldest and the newest were made, to find the page of one by its id. */
  readonly fromMs: number
  readonly toMs: number
  /** Of all together; absent when none has a size. */
  readonly sizeBytes?: number
}

/** By status, in the order of their letters. */
type StatusCounts = readonly number[]

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

export const pageRoom = 512

const emptyHead: NumberedHead = { pages: [] }
export const emptyPage: IdPage<never> = { ids: [], statuses: '' }

export function positionOf<Id extends ListedId>(page: IdPage<Id>, id: Id): number {
  return page.ids.indexOf(id)
}

export interface IdEntry<Id extends ListedId> {
  readonly id: Id
  readonly letter: string
  readonly sizeBytes?: number | undefined
}

/** `forward`: letters in the order in which one may follow another; who comes late with an earlier one changes nothing. */
export function withId<Id extends ListedId>(
  page: IdPage<Id>,
  { id, letter, sizeBytes }: IdEntry<Id>,
  forward = '',
): IdPage<Id> {
  const position = positionOf(page, id)
  if (position < 0) return { ids: [...page.ids, id], statuses: page.statuses + letter, ...withSize(page, sizeBytes) }
  const { statuses } = page
  const listed = statuses[position] ?? ''
  if (listed === letter || forward.indexOf(listed) > forward.indexOf(letter)) return page
  return { ...page, statuses: statuses.slice(0, position) + letter + statuses.slice(position + 1) }
}

function withSize(page: IdPage<ListedId>, sizeBytes: number | undefined): Pick<IdPage<ListedId>, 'sizes'> {
  if (sizeBytes === undefined && !page.sizes) return {}
  return { sizes: [...page.ids.map((_, at) => page.sizes?.[at] ?? 0), sizeBytes ?? 0] }
}

export function withoutId<Id extends ListedId>(page: IdPage<Id>, id: Id): IdPage<Id> {
  const position = positionOf(page, id)
  if (position < 0) return page
  return {
    ids: page.ids.toSpliced(position, 1),
    statuses: page.statuses.slice(0, position) + page.statuses.slice(position + 1),
    ...(page.sizes && { sizes: page.sizes.toSpliced(position, 1) }),
  }
}

/** `letters`: of all statuses, in order. */
export function summarisePage(page: IdPage<ListedId>, revision: number, letters: readonly string[]): PageSummary {
  const times = page.ids.map(madeAtMs)
  return {
    revision,
    counts: letters.map((letter) => page.statuses.split(letter).length - 1),
    fromMs: times.length === 0 ? 0 : Math.min(...times),
    toMs: times.length === 0 ? 0 : Math.max(...times),
    ...(page.sizes && { sizeBytes: page.sizes.reduce((sum, size) => sum + size, 0) }),
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

/** A user who deletes as much as they add has a head that does not grow. */
export function withoutEmptied(head: NumberedHead): { head: NumberedHead; emptied: readonly CountedPage[] } {
  const last = lastPageOf(head)
  const isEmptied = (page: CountedPage): boolean => page.page !== last && countOf(page, undefined) === 0
  const emptied = head.pages.filter(isEmptied)
  return emptied.length === 0
    ? { head, emptied }
    : { head: { pages: head.pages.filter((one) => !isEmptied(one)) }, emptied }
}

/** Pages in which one may be, newest first. The last page is always one: its summary may be behind. */
export function candidates(head: NumberedHead, id: ListedId): number[] {
  const atMs = madeAtMs(id)
  const last = lastPageOf(head)
  return head.pages
    .filter(({ page, fromMs, toMs }) => page === last || (fromMs <= atMs && atMs <= toMs))
    .map(({ page }) => page)
    .toReversed()
}

/** `place`: of a status among the counts; without it of all. */
export function total(head: NumberedHead, place: number | undefined): number {
  return head.pages.reduce((sum, page) => sum + countOf(page, place), 0)
}

export function totalBytes(head: NumberedHead): number {
  return head.pages.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0)
}

/** Which pages, newest first, hold the wanted stretch, and how many matches to skip in the first of them. */
export function locate(
  head: NumberedHead,
  query: { readonly offset: number; readonly limit: number },
  place: number | undefined,
): { pages: number[]; skip: number } {
  const pages: number[] = []
  let before = 0
  let skip = 0
  for (const summary of head.pages.toReversed()) {
    if (before >= query.offset + query.limit) break
    const count = countOf(summary, place)
    if (count > 0 && before + count > query.offset) {
      if (pages.length === 0) skip = query.offset - before
      pages.push(summary.page)
    }
    before += count
  }
  return { pages, skip }
}

/** What one page has with this letter, newest first; without a letter, all of it. */
export function idsWith<Id extends ListedId>(page: IdPage<Id>, letter: string | undefined): Id[] {
  return page.ids.filter((_, index) => letter === undefined || page.statuses[index] === letter).toReversed()
}

export function countOf(page: PageSummary, place: number | undefined): number {
  if (place !== undefined) return page.counts[place] ?? 0
  return page.counts.reduce((sum, count) => sum + count, 0)
}
