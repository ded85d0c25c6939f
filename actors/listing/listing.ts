import { setTimeout as pause } from 'node:timers/promises'

import { away } from '../failure.ts'
import { foldPerKey } from '../fold-per-key.ts'
import type { FileId, Owner } from '../ids.ts'
import type { Records, Revision } from '../ports.ts'
import {
  candidates,
  emptyPage,
  lastPageOf,
  locate,
  holdsStatus,
  numberedHead,
  pageRoom,
  positionOf,
  summarisePage,
  summaryOf,
  total,
  withFile,
  withoutEmptied,
  withoutFile,
  withSummary,
} from './pages.ts'
import type { CountedPage, ListingChange, Head, FilePage, NumberedHead, PageSummary } from './pages.ts'
import type { Listing, ListingPage, ListingQuery } from './ports.ts'

const attemptsMax = 20
const jitterMs = 25

/** Heads and pages live in one bucket, as `<owner>.head` and `<owner>.p<index>`. */
export interface ListingRecords {
  readonly heads: Records<Head>
  readonly pages: Records<FilePage>
}

interface Pages extends ListingRecords {
  /** Files a page. */
  readonly room: number
}

export function openListing(records: ListingRecords, room = pageRoom): Listing {
  const submit = foldPerKey<Owner, ListingChange>((owner, changes) => change({ ...records, room }, owner, changes))
  return {
    append: (owner, files) =>
      submit(
        owner,
        files.map((file) => ({ type: 'Append', file })),
      ),
    mark: (owner, files) =>
      submit(
        owner,
        files.map((file) => ({ type: 'Mark', file })),
      ),
    remove: (owner, fileIds) =>
      submit(
        owner,
        fileIds.map((fileId) => ({ type: 'Remove', fileId })),
      ),
    page: (owner, query) => show(records, owner, query),
  }
}

async function show(records: ListingRecords, owner: Owner, query: ListingQuery): Promise<ListingPage> {
  const heads = await records.heads.readMany([headKey(owner)])
  const head = numberedHead(heads.get(headKey(owner)))
  const { pages, skip } = locate(head, query)
  const found = await records.pages.readMany(pages.map((index) => pageKey(owner, index)))
  const fileIds = pages
    .flatMap((index) => holdsStatus(found.get(pageKey(owner, index)) ?? emptyPage, query.status))
    .slice(skip, skip + query.limit)
  return { total: total(head, query.status), fileIds }
}

/**
 * Pages first, then the head: a crash between the two leaves a head that is behind, and whoever repeats the change (its
 * maker keeps it until it is done) counts the page again. Every step may be repeated.
 */
async function change(records: Pages, owner: Owner, changes: readonly ListingChange[]): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const stored = await records.heads.read(headKey(owner))
    const draft = new Draft(records, owner, numberedHead(stored?.value))
    for (const one of changes) await draft.apply(one)
    const emptied = (await draft.writePages()) && (await countIn(records, owner, draft.summaries))
    if (emptied) return removeEmptied(records, owner, emptied)
    await pause(Math.random() * jitterMs * attempt)
  }
  throw away('broker_unavailable', 'The list of files is being changed by too many at once; try again shortly.')
}

/** Resolves with the pages that were emptied, which the head has left out; or false when too many wrote at once. */
async function countIn(
  records: ListingRecords,
  owner: Owner,
  summaries: ReadonlyMap<number, PageSummary>,
): Promise<readonly CountedPage[] | false> {
  const key = headKey(owner)
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const stored = await records.heads.read(key)
    const before = numberedHead(stored?.value)
    const counted = await countedNow({ records, owner, head: before }, summaries)
    const { head: after, emptied } = withoutEmptied(
      counted.reduce((head, [page, summary]) => withSummary(head, page, summary), before),
    )
    if (after === before) return []
    const outcome = stored
      ? await records.heads.replace(key, after, stored.revision)
      : await records.heads.create(key, after)
    if (typeof outcome === 'number') return emptied
    await pause(Math.random() * jitterMs)
  }
  return false
}

/** What the head does not know any more was emptied after we counted it, unless somebody filled it again. */
async function countedNow(
  { records, owner, head }: { records: ListingRecords; owner: Owner; head: NumberedHead },
  summaries: ReadonlyMap<number, PageSummary>,
): Promise<(readonly [page: number, summary: PageSummary])[]> {
  const counted = await Promise.all(
    [...summaries].map(async ([page, summary]) => {
      if (page >= lastPageOf(head) || summaryOf(head, page)) return [[page, summary] as const]
      const stored = await records.pages.read(pageKey(owner, page))
      return stored ? [[page, summarisePage(stored.value, stored.revision)] as const] : []
    }),
  )
  return counted.flat()
}

/** A page that somebody filled again meanwhile stays, and is counted by them. */
async function removeEmptied(records: ListingRecords, owner: Owner, emptied: readonly CountedPage[]): Promise<void> {
  await Promise.all(emptied.map(({ page, revision }) => records.pages.remove(pageKey(owner, page), revision)))
}

/** The pages that one round of changes touches, read once and written once. */
class Draft {
  readonly summaries = new Map<number, PageSummary>()
  private readonly pages = new Map<number, { page: FilePage; was: FilePage; revision: Revision | undefined }>()

  constructor(
    private readonly records: Pages,
    private readonly owner: Owner,
    private readonly head: NumberedHead,
  ) {}

  async apply(one: ListingChange): Promise<void> {
    const fileId = one.type === 'Remove' ? one.fileId : one.file.fileId
    const index = (await this.find(fileId)) ?? (one.type === 'Append' ? await this.room(fileId) : undefined)
    if (index === undefined) return
    const draft = await this.load(index)
    draft.page = one.type === 'Remove' ? withoutFile(draft.page, fileId) : withFile(draft.page, one.file)
  }

  /** False when somebody else changed a page meanwhile: nothing is lost, the round starts again. */
  async writePages(): Promise<boolean> {
    for (const [index, { page, was, revision }] of this.pages) {
      const key = pageKey(this.owner, index)
      if (page === was && revision === undefined) continue
      const outcome = page === was ? revision : await this.store(key, page, revision)
      if (typeof outcome !== 'number') return false
      this.summaries.set(index, summarisePage(page, outcome))
    }
    return true
  }

  private store(key: string, page: FilePage, revision: Revision | undefined): Promise<Revision | string> {
    return revision === undefined
      ? this.records.pages.create(key, page)
      : this.records.pages.replace(key, page, revision)
  }

  private async find(fileId: FileId): Promise<number | undefined> {
    const beyond = [...this.pages.keys()].filter((index) => !summaryOf(this.head, index))
    for (const index of [...beyond, ...candidates(this.head, fileId)])
      if (positionOf((await this.load(index)).page, fileId) >= 0) return index
    return undefined
  }

  /** The first page, from the last one known on, that has room. A page beyond the head was left by a crash: it counts. */
  private async room(fileId: FileId): Promise<number> {
    for (let index = lastPageOf(this.head); ; index += 1) {
      const { page } = await this.load(index)
      if (positionOf(page, fileId) >= 0 || page.fileIds.length < this.records.room) return index
    }
  }

  private async load(index: number): Promise<{ page: FilePage; was: FilePage; revision: Revision | undefined }> {
    const known = this.pages.get(index)
    if (known) return known
    const stored = await this.records.pages.read(pageKey(this.owner, index))
    const page = stored?.value ?? emptyPage
    const loaded = { page, was: page, revision: stored?.revision }
    this.pages.set(index, loaded)
    return loaded
  }
}

function headKey(owner: Owner): string {
  return `${owner}.head`
}

function pageKey(owner: Owner, index: number): string {
  return `${owner}.p${index}`
}
