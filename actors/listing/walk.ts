import { madeAtMs } from '../ids.ts'
import { countOf, idsWith } from './pages.ts'
import type { CountedPage, IdPage, ListedId, NumberedHead } from './pages.ts'
import type { ListingPlace, WalkQuery } from './ports.ts'

/**
 * A walk through a listing, newest first, from place to place. New ones come in front of every place and none is moved, so that
 * who goes on from a place misses nothing and sees nothing twice.
 */

/** However few of what they hold is asked for, no more pages than this are read at once. */
const pagesAtOnce = 8

type Wanted = Pick<WalkQuery<string>, 'after' | 'fromMs' | 'toMs' | 'limit'>

/** Those to read now, newest first, and whether these are all. `status`: its place among the counts. */
export function pagesToWalk(
  head: NumberedHead,
  query: Wanted,
  status: number | undefined,
): { pages: number[]; isAll: boolean } {
  const all = head.pages.filter((page) => countOf(page, status) > 0 && mayHold(page, query)).toReversed()
  let certain = 0
  const pages: number[] = []
  for (const page of all) {
    // one more than is shown tells whether it goes on
    if (certain > query.limit || pages.length === pagesAtOnce) break
    pages.push(page.page)
    if (isWhole(page, query)) certain += countOf(page, status)
  }
  return { pages, isAll: pages.length === all.length }
}

/** What a page has of what is asked for, newest first. */
export function matching<Id extends ListedId>(
  page: IdPage<Id>,
  { number, letter, after, fromMs = 0, toMs = Infinity }: Wanted & { number: number; letter: string | undefined },
): Id[] {
  const left = number === after?.page ? before(page, after.id) : page
  return idsWith(left, letter).filter((id) => madeAtMs(id) >= fromMs && madeAtMs(id) < toMs)
}

/** Where to go on after the first so many of what was found. */
export function placeBehind(
  found: readonly Required<ListingPlace>[],
  { limit, isAll, lastPage }: { limit: number; isAll: boolean; lastPage: number | undefined },
): ListingPlace | undefined {
  if (found.length > limit) return found[limit - 1]
  return isAll || lastPage === undefined ? undefined : { page: lastPage }
}

function mayHold({ page, fromMs, toMs }: CountedPage, query: Wanted): boolean {
  const { after } = query
  const isAhead = after !== undefined && (after.id === undefined ? page >= after.page : page > after.page)
  return !isAhead && fromMs < (query.toMs ?? Infinity) && toMs >= (query.fromMs ?? 0)
}

/** Everything that its summary counts is shown. */
function isWhole({ page, fromMs, toMs }: CountedPage, query: Wanted): boolean {
  return page !== query.after?.page && toMs < (query.toMs ?? Infinity) && fromMs >= (query.fromMs ?? 0)
}

/** One that was deleted meanwhile has left its time. */
function before<Id extends ListedId>(page: IdPage<Id>, id: string | undefined): IdPage<Id> {
  const position = page.ids.findIndex((one) => one === id)
  const kept = page.ids.flatMap((one, at) =>
    (position < 0 ? id !== undefined && one < id : at < position) ? [at] : [],
  )
  return { ids: kept.map((at) => page.ids[at]!), statuses: kept.map((at) => page.statuses[at]).join('') }
}
