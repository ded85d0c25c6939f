import { away } from '../failure.ts'
import type { Owner } from '../ids.ts'
import type { LastSeen, Seen } from '../last-seen.ts'
import type { Records, Revision } from '../ports.ts'
import { headKey, pageKey } from './keys.ts'
import {
  candidates,
  emptyPage,
  lastPageOf,
  numberedHead,
  positionOf,
  summarisePage,
  summaryOf,
  withId,
  withoutEmptied,
  withoutId,
  withSummary,
} from './pages.ts'
import type { CountedPage, Head, IdEntry, IdPage, ListedId, NumberedHead, PageSummary } from './pages.ts'

const attemptsMax = 20
/** A larger head is not kept: the list has thousands of entries. */
const seenPagesMax = 16

export type ListingChange<Id extends ListedId> =
  | ({ readonly type: 'Append' | 'Mark' } & IdEntry<Id>)
  | { readonly type: 'Remove'; readonly id: Id }

export type PageRecords<Id extends ListedId> = Pick<
  Records<IdPage<Id>>,
  'read' | 'readMany' | 'create' | 'replace' | 'remove'
>

/** The records of one listing, as all of it works on them. */
export interface ListingPages<Id extends ListedId> {
  readonly heads: Records<Head>
  /** As this process, or one that told it, last stored them. */
  readonly seenHeads: LastSeen<Head>
  readonly pages: PageRecords<Id>
  /** Of all statuses, in the order of the counts in the head. */
  readonly letters: readonly string[]
  /** See `withId`. */
  readonly forward?: string | undefined
  /** Entries a page. */
  readonly room: number
}

/**
 * Pages first, then the head: a crash between the two leaves a head that is behind, and whoever repeats the change (its
 * maker keeps it until it is done) counts the page again. Every step may be repeated.
 */
export async function changeListing<Id extends ListedId>(
  records: ListingPages<Id>,
  owner: Owner,
  changes: readonly ListingChange<Id>[],
): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const found = await findHead(records, owner, changes)
    const draft = new Draft(records, owner, numberedHead(found.head?.value))
    for (const one of changes) await draft.apply(one)
    // where a head that may be old does not lead, the newest may
    if (found.isOld && draft.hasMissed) continue
    const emptied = (await draft.writePages()) && (await countIn(records, { owner, ...found }, draft.summaries))
    if (emptied) return removeEmptied(records, owner, emptied)
    await records.heads.backOff(attempt)
  }
  throw away('broker_unavailable', 'The list is being changed by too many at once; try again shortly.')
}

interface FoundHead {
  readonly head: Seen<Head> | undefined
  /** Last seen, and perhaps not what is stored now. */
  readonly isOld: boolean
}

/** To mark something its page must be found; to add something it must be known where nothing is. An old head is tried once. */
async function findHead<Id extends ListedId>(
  { heads, seenHeads }: ListingPages<Id>,
  owner: Owner,
  changes: readonly ListingChange<Id>[],
): Promise<FoundHead> {
  const key = headKey(owner)
  const seen = changes.every(({ type }) => type === 'Mark') ? seenHeads.get(key) : undefined
  seenHeads.forget(key)
  return seen ? { head: seen, isOld: true } : { head: await heads.read(key), isOld: false }
}

/**
 * Resolves with the pages that were emptied, which the head has left out; or false when too many wrote at once. The head is as it was before the
 * pages were written: when somebody changed it meanwhile the write is refused, and it is read again. An old one is believed in nothing but what is
 * written on it.
 */
async function countIn<Id extends ListedId>(
  records: ListingPages<Id>,
  { owner, ...found }: FoundHead & { readonly owner: Owner },
  summaries: ReadonlyMap<number, PageSummary>,
): Promise<readonly CountedPage[] | false> {
  const key = headKey(owner)
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const stored = attempt === 1 ? found.head : await records.heads.read(key)
    const isOld = attempt === 1 && found.isOld
    const before = numberedHead(stored?.value)
    const counted = await countedNow({ records, owner, head: before }, summaries)
    const { head: after, emptied } = withoutEmptied(
      counted.reduce((head, [page, summary]) => withSummary(head, page, summary), before),
    )
    if (after === before && !isOld) return []
    if (after === before) continue
    const outcome = stored
      ? await records.heads.replace(key, after, stored.revision)
      : await records.heads.create(key, after)
    if (typeof outcome === 'number') {
      if (after.pages.length <= seenPagesMax) records.seenHeads.keep(key, { value: after, revision: outcome })
      return emptied
    }
    if (!isOld) await records.heads.backOff(attempt)
  }
  return false
}

/** What the head does not know any more was emptied after we counted it, unless somebody filled it again. */
async function countedNow<Id extends ListedId>(
  { records, owner, head }: { records: ListingPages<Id>; owner: Owner; head: NumberedHead },
  summaries: ReadonlyMap<number, PageSummary>,
): Promise<(readonly [page: number, summary: PageSummary])[]> {
  const counted = await Promise.all(
    [...summaries].map(async ([page, summary]) => {
      if (page >= lastPageOf(head) || summaryOf(head, page)) return [[page, summary] as const]
      const stored = await records.pages.read(pageKey(owner, page))
      return stored ? [[page, summarisePage(stored.value, stored.revision, records.letters)] as const] : []
    }),
  )
  return counted.flat()
}

/** A page that somebody filled again meanwhile stays, and is counted by them. */
async function removeEmptied<Id extends ListedId>(
  { pages }: ListingPages<Id>,
  owner: Owner,
  emptied: readonly CountedPage[],
): Promise<void> {
  await Promise.all(emptied.map(({ page, revision }) => pages.remove(pageKey(owner, page), revision)))
}

interface DraftPage<Id extends ListedId> {
  page: IdPage<Id>
  readonly was: IdPage<Id>
  readonly revision: Revision | undefined
}

/** The pages that one round of changes touches, read once and written once. */
class Draft<Id extends ListedId> {
  readonly summaries = new Map<number, PageSummary>()
  /** Something was not found. */
  hasMissed = false
  private readonly pages = new Map<number, DraftPage<Id>>()

  constructor(
    private readonly records: ListingPages<Id>,
    private readonly owner: Owner,
    private readonly head: NumberedHead,
  ) {}

  async apply(one: ListingChange<Id>): Promise<void> {
    const { id } = one
    const index = (await this.find(id)) ?? (one.type === 'Append' ? await this.room(id) : await this.findUncounted(id))
    if (index === undefined) {
      this.hasMissed = true
      return
    }
    const draft = await this.load(index)
    draft.page = one.type === 'Remove' ? withoutId(draft.page, id) : withId(draft.page, one, this.records.forward)
  }

  /** False when somebody else changed a page meanwhile: nothing is lost, the round starts again. */
  async writePages(): Promise<boolean> {
    for (const [index, { page, was, revision }] of this.pages) {
      const key = pageKey(this.owner, index)
      if (page === was && revision === undefined) continue
      const outcome = page === was ? revision : await this.store(key, page, revision)
      if (typeof outcome !== 'number') return false
      this.summaries.set(index, summarisePage(page, outcome, this.records.letters))
    }
    return true
  }

  private store(key: string, page: IdPage<Id>, revision: Revision | undefined): Promise<Revision | string> {
    return revision === undefined
      ? this.records.pages.create(key, page)
      : this.records.pages.replace(key, page, revision)
  }

  private async find(id: Id): Promise<number | undefined> {
    const beyond = [...this.pages.keys()].filter((index) => !summaryOf(this.head, index))
    for (const index of [...beyond, ...candidates(this.head, id)])
      if (positionOf((await this.load(index)).page, id) >= 0) return index
    return undefined
  }

  /** In a page that somebody made who died before it was in the head. */
  private async findUncounted(id: Id): Promise<number | undefined> {
    for (let index = this.head.pages.length === 0 ? 0 : lastPageOf(this.head) + 1; ; index += 1) {
      const { page, revision } = await this.load(index)
      if (revision === undefined) return undefined
      if (positionOf(page, id) >= 0) return index
    }
  }

  /** The first page, from the last one known on, that has room. A page beyond the head was left by a crash: it counts. */
  private async room(id: Id): Promise<number> {
    for (let index = lastPageOf(this.head); ; index += 1) {
      const { page } = await this.load(index)
      if (positionOf(page, id) >= 0 || page.ids.length < this.records.room) return index
    }
  }

  private async load(index: number): Promise<DraftPage<Id>> {
    const known = this.pages.get(index)
    if (known) return known
    const stored = await this.records.pages.read(pageKey(this.owner, index))
    const page: IdPage<Id> = stored?.value ?? emptyPage
    const loaded = { page, was: page, revision: stored?.revision }
    this.pages.set(index, loaded)
    return loaded
  }
}
