import type { ExecutionContext, TestFn } from 'ava'
import * as fc from 'fast-check'
import { v7 as uuidV7 } from 'uuid'

import { isBatchId } from '../../actors/ids.ts'
import type { BatchId, Owner } from '../../actors/ids.ts'
import { openBatchListing } from '../../actors/listing/batches.ts'
import type { BatchPage } from '../../actors/listing/batches.ts'
import type { ListingRecords } from '../../actors/listing/listing.ts'
import type { BatchListing, ListedBatch, ListedBatchStatus, WalkQuery } from '../../actors/listing/ports.ts'
import { anOwner } from '../support/builders.ts'

interface BatchListingContractOptions {
  open(t: ExecutionContext): Promise<ListingRecords<BatchPage>>
  /** Random histories to try. */
  readonly runs: number
}

/** So small that a few batches already take several pages. */
const smallRoom = 3
/** None of them is followed by one before it. */
const statuses: readonly ListedBatchStatus[] = ['open', 'partial', 'failed', 'completed']
const beganMs = 1_800_000_000_000

type Step =
  | { readonly type: 'append' }
  | { readonly type: 'mark'; readonly which: number; readonly status: ListedBatchStatus }
  | { readonly type: 'remove'; readonly which: number }

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('append' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('mark' as const),
      which: fc.nat(30),
      status: fc.constantFrom(...statuses),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), which: fc.nat(30) }) },
)

const aQuery = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  fromMs: fc.option(fc.nat(30).map(atMs), { nil: undefined }),
  toMs: fc.option(fc.nat(30).map(atMs), { nil: undefined }),
})

/** What a list of batches owes, whatever keeps its pages. */
export function batchListingContract(test: TestFn, options: BatchListingContractOptions): void {
  test('a walk from place to place sees every batch that it asks for once, newest first', async (t) => {
    const records = await options.open(t)
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 40 }), aQuery, async (steps, query) => {
        const owner = nextOwner()
        const listing = openBatchListing(records, smallRoom)
        const all = await perform(listing, owner, steps)
        t.deepEqual(await walkAll(listing, owner, query), wanted(all, query))
      }),
      { numRuns: options.runs },
    )
  })

  test('what is submitted and deleted during a walk moves nothing else', async (t) => {
    const owner = nextOwner()
    const listing = openBatchListing(await options.open(t), smallRoom)
    const [one, two, three, four, five] = [1, 2, 3, 4, 5].map(madeAt)
    await listing.append(owner, [one!, two!, three!, four!, five!].map(opened))
    const first = await listing.walk(owner, { limit: 2 })
    t.deepEqual(first.ids, [five, four])
    await listing.append(owner, [opened(madeAt(6))])
    await listing.remove(owner, [four!, three!])
    const second = await listing.walk(owner, { limit: 2, after: first.next })
    t.deepEqual(second, { ids: [two, one] })
  })

  test('a batch that is marked and not listed stays unlisted', async (t) => {
    const owner = nextOwner()
    const listing = openBatchListing(await options.open(t), smallRoom)
    const batchId = madeAt(1)
    await listing.append(owner, [opened(batchId)])
    await listing.remove(owner, [batchId])
    await listing.mark(owner, [{ batchId, status: 'completed' }])
    t.deepEqual(await listing.walk(owner, { limit: 5 }), { ids: [] })
  })

  test('a batch is marked on a head that another told of, without reading it, and the counts are right', async (t) => {
    const owner = nextOwner()
    const records = await options.open(t)
    const { told, teller, reads } = twoListings(records)
    const batchId = madeAt(1)
    await teller.append(owner, [opened(batchId)])
    told.keepHead(owner, teller.lastHead(owner)!)
    await told.mark(owner, [{ batchId, status: 'completed' }])
    t.is(reads(), 0)
    t.deepEqual(await walkAll(teller, owner, { limit: 5, status: 'completed' }), [batchId])
    t.deepEqual(await walkAll(teller, owner, { limit: 5, status: 'open' }), [])
  })

  test('a head that is old loses nothing: neither what came since, nor a batch that it does not lead to', async (t) => {
    const owner = nextOwner()
    const records = await options.open(t)
    const { told, teller, reads } = twoListings(records)
    const ids = Array.from({ length: 3 * smallRoom }, (_, minute) => madeAt(minute))
    const [first, ...others] = ids
    await teller.append(owner, [opened(first!)])
    const old = teller.lastHead(owner)!
    await teller.append(owner, others.map(opened))
    for (const batchId of [first!, ids.at(-1)!]) {
      told.keepHead(owner, old)
      await told.mark(owner, [{ batchId, status: 'failed' }])
      // nothing is to be written this time, and an old head does not say so
      told.keepHead(owner, old)
      await told.mark(owner, [{ batchId, status: 'failed' }])
    }
    t.true(reads() > 0)
    t.deepEqual(await walkAll(teller, owner, { limit: 50 }), ids.toReversed())
    t.deepEqual(await walkAll(teller, owner, { limit: 50, status: 'failed' }), [ids.at(-1)!, first!])
  })

  test('a batch in a page that somebody made who died before it was counted can be removed', async (t) => {
    const owner = nextOwner()
    const records = await options.open(t)
    const crash = (): Promise<never> => Promise.reject(new Error('crashed'))
    const crashing = openBatchListing({ ...records, heads: { ...records.heads, create: crash, replace: crash } })
    const batchId = madeAt(1)
    await t.throwsAsync(crashing.append(owner, [opened(batchId)]), { message: 'crashed' })
    const listing = openBatchListing(records)
    await listing.remove(owner, [batchId])
    await listing.append(owner, [opened(madeAt(2))])
    t.deepEqual((await listing.walk(owner, { limit: 5 })).ids.includes(batchId), false)
  })

  test('however little of a long list is asked for, a walk reads few pages at once and goes on', async (t) => {
    const records = await options.open(t)
    const owner = nextOwner()
    const listing = openBatchListing(records, 1)
    const batches = Array.from({ length: 30 }, (_, index) => madeAt(index))
    await listing.append(owner, batches.map(opened))
    let most = 0
    const watched = openBatchListing(
      {
        ...records,
        pages: {
          ...records.pages,
          readMany(keys) {
            most = Math.max(most, keys.length)
            return records.pages.readMany(keys)
          },
        },
      },
      1,
    )
    t.deepEqual(await walkAll(watched, owner, { limit: 200 }), batches.toReversed())
    t.true(most <= 8, `${most} pages were read at once`)
  })

  test('the batches of two users do not meet', async (t) => {
    const [owner, other] = [nextOwner(), nextOwner()]
    const listing = openBatchListing(await options.open(t), smallRoom)
    const { next } = await appended(listing, owner)
    t.deepEqual(await listing.walk(other, { limit: 5 }), { ids: [] })
    t.deepEqual(await listing.walk(other, { limit: 5, after: next }), { ids: [] })
  })
}

/** One that tells the other of its heads, and how many of them that one has read itself. */
function twoListings(records: ListingRecords<BatchPage>) {
  let read = 0
  const heads: typeof records.heads = {
    ...records.heads,
    read(key) {
      read += 1
      return records.heads.read(key)
    },
  }
  return {
    teller: openBatchListing(records, smallRoom),
    told: openBatchListing({ ...records, heads }, smallRoom),
    reads: () => read,
  }
}

async function appended(listing: BatchListing, owner: Owner) {
  await listing.append(owner, [opened(madeAt(1)), opened(madeAt(2))])
  return listing.walk(owner, { limit: 1 })
}

/** The batches as a plain list, the oldest first. */
async function perform(listing: BatchListing, owner: Owner, steps: readonly Step[]): Promise<ListedBatch[]> {
  let all: ListedBatch[] = []
  for (const [at, step] of steps.entries()) {
    if (step.type === 'append') {
      const batch = opened(madeAt(at))
      all.push(batch)
      await listing.append(owner, [batch])
      continue
    }
    const chosen = all[step.which % Math.max(1, all.length)]
    if (!chosen) continue
    const { batchId } = chosen
    if (step.type === 'remove') {
      all = all.filter((one) => one !== chosen)
      await listing.remove(owner, [batchId])
      continue
    }
    const marked = { batchId, status: step.status }
    const isLater = statuses.indexOf(marked.status) > statuses.indexOf(chosen.status)
    all = all.map((one) => (one === chosen && isLater ? marked : one))
    await listing.mark(owner, [marked])
  }
  return all
}

type Filter = Omit<WalkQuery<ListedBatchStatus>, 'after'>

function wanted(all: readonly ListedBatch[], { status, fromMs = 0, toMs = Infinity }: Filter): BatchId[] {
  const times = new Map(all.map(({ batchId }) => [batchId, Number.parseInt(batchId.replace('-', '').slice(0, 12), 16)]))
  return all
    .filter((batch) => status === undefined || batch.status === status)
    .map(({ batchId }) => batchId)
    .filter((batchId) => times.get(batchId)! >= fromMs && times.get(batchId)! < toMs)
    .toReversed()
}

async function walkAll(listing: BatchListing, owner: Owner, query: Filter): Promise<BatchId[]> {
  const ids: BatchId[] = []
  let walked = await listing.walk(owner, query)
  ids.push(...walked.ids)
  while (walked.next) {
    walked = await listing.walk(owner, { ...query, after: walked.next })
    ids.push(...walked.ids)
  }
  return ids
}

const opened = (batchId: BatchId): ListedBatch => ({ batchId, status: 'open' })

function atMs(minute: number): number {
  return beganMs + minute * 60_000
}

function madeAt(minute: number): BatchId {
  const id = uuidV7({ msecs: atMs(minute) })
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

let owners = 0
function nextOwner(): Owner {
  owners += 1
  return anOwner(`b${String(owners).padStart(21, '0')}`)
}
