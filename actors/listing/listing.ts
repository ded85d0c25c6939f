import { foldPerKey } from '../fold-per-key.ts'
import type { Owner } from '../ids.ts'
import { createLastSeen } from '../last-seen.ts'
import type { Records } from '../ports.ts'
import { changeListing } from './change.ts'
import type { ListingChange, ListingPages, PageRecords } from './change.ts'
import { headKey, pageKey } from './keys.ts'
import { idsWith, locate, numberedHead, pageRoom, total, totalBytes } from './pages.ts'
import type { Head, IdPage, ListedId, NumberedHead } from './pages.ts'
import type { Held, ListingQuery, SeenHead, Walked, WalkQuery } from './ports.ts'
import { matching, pagesToWalk, placeBehind } from './walk.ts'

/** Something that is listed: its statuses, each with its letter, and how a page of it is stored. */
export interface ListingKind<Id extends ListedId, Status extends string, StoredPage> {
  /** In the order of the counts in the head. */
  readonly letters: Readonly<Record<Status, string>>
  /** Letters in the order in which one may follow another, where none comes back. */
  readonly forward?: string
  pageOf(stored: StoredPage): IdPage<Id>
  stored(page: IdPage<Id>): StoredPage
}

/** Heads and pages live in one bucket, as `<owner>.head` and `<owner>.p<index>`. */
export interface ListingRecords<StoredPage> {
  readonly heads: Records<Head>
  readonly pages: Records<StoredPage>
}

interface Listed<Id extends ListedId, Status extends string> {
  readonly id: Id
  readonly status: Status
  readonly sizeBytes?: number | undefined
}

/** What all listings can do, whatever they list. */
interface IdListing<Id extends ListedId, Status extends string> {
  append(owner: Owner, entries: readonly Listed<Id, Status>[]): Promise<void>
  mark(owner: Owner, entries: readonly Listed<Id, Status>[]): Promise<void>
  remove(owner: Owner, ids: readonly Id[]): Promise<void>
  page(owner: Owner, query: ListingQuery<Status>): Promise<{ total: number; ids: readonly Id[] }>
  walk(owner: Owner, query: WalkQuery<Status>): Promise<Walked<Id>>
  held(owner: Owner): Promise<Held>
  lastHead(owner: Owner): SeenHead | undefined
  keepHead(owner: Owner, head: SeenHead): void
}

export function openListing<Id extends ListedId, Status extends string, StoredPage>(
  kind: ListingKind<Id, Status, StoredPage>,
  records: ListingRecords<StoredPage>,
  room = pageRoom,
): IdListing<Id, Status> {
  const letters = Object.values<string>(kind.letters)
  const seenHeads = createLastSeen<Head>()
  const pages: ListingPages<Id> = {
    heads: records.heads,
    seenHeads,
    pages: decoded(kind, records.pages),
    letters,
    forward: kind.forward,
    room,
  }
  const submit = foldPerKey<Owner, ListingChange<Id>>((owner, changes) => changeListing(pages, owner, changes))
  const letterOf = (status: Status | undefined): string | undefined => status && kind.letters[status]
  const changesOf = (type: 'Append' | 'Mark', entries: readonly Listed<Id, Status>[]): ListingChange<Id>[] =>
    entries.map(({ id, status, sizeBytes }) => ({ type, id, letter: kind.letters[status], sizeBytes }))
  return {
    append: (owner, entries) => submit(owner, changesOf('Append', entries)),
    mark: (owner, entries) => submit(owner, changesOf('Mark', entries)),
    remove: (owner, ids) =>
      submit(
        owner,
        ids.map((id) => ({ type: 'Remove', id })),
      ),
    page: (owner, query) => show(pages, owner, { ...query, letter: letterOf(query.status) }),
    walk: (owner, query) => walk(pages, owner, { ...query, letter: letterOf(query.status) }),
    async held(owner) {
      const head = await readHead(pages, owner)
      return { count: total(head, undefined), sizeBytes: totalBytes(head) }
    },
    lastHead: (owner) => seenHeads.get(headKey(owner)),
    keepHead: (owner, head) => seenHeads.keep(headKey(owner), head),
  }
}

/** What is stored keeps its form, whatever else is listed. */
function decoded<Id extends ListedId, StoredPage>(
  kind: Pick<ListingKind<Id, string, StoredPage>, 'pageOf' | 'stored'>,
  records: Records<StoredPage>,
): PageRecords<Id> {
  return {
    async read(key) {
      const found = await records.read(key)
      return found && { ...found, value: kind.pageOf(found.value) }
    },
    async readMany(keys) {
      const found = await records.readMany(keys)
      return new Map([...found].map(([key, page]) => [key, kind.pageOf(page)]))
    },
    create: (key, page) => records.create(key, kind.stored(page)),
    replace: (key, page, revision) => records.replace(key, kind.stored(page), revision),
    remove: (key, revision) => records.remove(key, revision),
  }
}

interface WithLetter {
  readonly letter: string | undefined
}

async function show<Id extends ListedId>(
  records: ListingPages<Id>,
  owner: Owner,
  query: Pick<ListingQuery<string>, 'offset' | 'limit'> & WithLetter,
): Promise<{ total: number; ids: readonly Id[] }> {
  const head = await readHead(records, owner)
  const place = placeOf(records, query)
  const { pages, skip } = locate(head, query, place)
  const found = await readPages(records, owner, pages)
  const ids = found.flatMap(({ page }) => idsWith(page, query.letter)).slice(skip, skip + query.limit)
  return { total: total(head, place), ids }
}

async function walk<Id extends ListedId>(
  records: ListingPages<Id>,
  owner: Owner,
  query: WalkQuery<string> & WithLetter,
): Promise<Walked<Id>> {
  const head = await readHead(records, owner)
  const { pages, isAll } = pagesToWalk(head, query, placeOf(records, query))
  const found = await readPages(records, owner, pages)
  const all = found.flatMap(({ number, page }) =>
    matching(page, { ...query, number }).map((id) => ({ page: number, id })),
  )
  const next = placeBehind(all, { limit: query.limit, isAll, lastPage: pages.at(-1) })
  return { ids: all.slice(0, query.limit).map(({ id }) => id), ...(next && { next }) }
}

function placeOf({ letters }: Pick<ListingPages<never>, 'letters'>, { letter }: WithLetter): number | undefined {
  return letter === undefined ? undefined : letters.indexOf(letter)
}

async function readHead({ heads }: Pick<ListingPages<never>, 'heads'>, owner: Owner): Promise<NumberedHead> {
  return numberedHead((await heads.readMany([headKey(owner)])).get(headKey(owner)))
}

/** Those that are there, in the order in which they are asked for. */
async function readPages<Id extends ListedId>(
  { pages }: Pick<ListingPages<Id>, 'pages'>,
  owner: Owner,
  numbers: readonly number[],
): Promise<{ number: number; page: IdPage<Id> }[]> {
  const found = await pages.readMany(numbers.map((number) => pageKey(owner, number)))
  return numbers.flatMap((number) => {
    const page = found.get(pageKey(owner, number))
    return page ? [{ number, page }] : []
  })
}
