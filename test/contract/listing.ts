import type { ExecutionContext, TestFn } from 'ava'
import * as fc from 'fast-check'

import type { FileId, Owner } from '../../actors/ids.ts'
import { openFileListing } from '../../actors/listing/files.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { ListingRecords } from '../../actors/listing/listing.ts'
import type { PageSummary } from '../../actors/listing/pages.ts'
import type { ListedFile, Listing } from '../../actors/listing/ports.ts'
import { uploadStatuses } from '../../actors/upload/state.ts'
import type { UploadStatus } from '../../actors/upload/state.ts'
import { aFileId, anOwner } from '../support/builders.ts'

/** So small that a few files already take several pages. */
const smallRoom = 4
const filesMax = 24

interface ListingContractOptions {
  open(t: ExecutionContext): Promise<ListingRecords<FilePage>>
  /** Random histories to try. */
  readonly runs: number
}

type Step =
  | { readonly type: 'append'; readonly count: number }
  | { readonly type: 'mark'; readonly which: number; readonly status: UploadStatus }
  | { readonly type: 'remove'; readonly which: number }

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('append' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('mark' as const),
      which: fc.nat(filesMax),
      status: fc.constantFrom(...uploadStatuses),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), which: fc.nat(filesMax) }) },
)

/** What a listing owes, whatever keeps its pages: the same as a plain list, also with several writers and after a crash. */
export function listingContract(test: TestFn, options: ListingContractOptions): void {
  test('any history of appends, marks and removals lists as a plain list would', async (t) => {
    const records = await options.open(t)
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 20 }), async (steps) => {
        const owner = nextOwner()
        const listing = openFileListing(records, smallRoom)
        const model = new Model()
        for (const step of steps) await model.perform(step, listing, owner)
        await model.compare(t, listing, owner)
      }),
      { numRuns: options.runs },
    )
  })

  test('two writers at once lose nothing', async (t) => {
    const records = await options.open(t)
    const owner = nextOwner()
    const [one, two] = [openFileListing(records, smallRoom), openFileListing(records, smallRoom)]
    const batches = Array.from({ length: 12 }, () => [pending(), pending()])
    await Promise.all(batches.map((files, index) => (index % 2 === 0 ? one : two).append(owner, files)))
    const all = batches.flat()
    await Promise.all(all.map((file, index) => (index % 3 === 0 ? one : two).mark(owner, [completed(file)])))
    const gone = all.filter((_, index) => index % 4 === 0).map(({ fileId }) => fileId)
    await Promise.all(gone.map((fileId, index) => (index % 2 === 0 ? two : one).remove(owner, [fileId])))

    const { total, fileIds } = await one.page(owner, { offset: 0, limit: 100, status: 'completed' })
    const expected = all.map(({ fileId }) => fileId).filter((fileId) => !gone.includes(fileId))
    t.is(total, expected.length)
    t.deepEqual(fileIds.toSorted(), expected.toSorted())
    t.is((await two.page(owner, { offset: 0, limit: 1 })).total, expected.length)
  })

  test('the files of two owners do not meet', async (t) => {
    const listing = openFileListing(await options.open(t), smallRoom)
    const [one, other] = [nextOwner(), nextOwner()]
    const file = pending()
    await listing.append(one, [file])
    t.deepEqual(await listing.page(other, { offset: 0, limit: 10 }), { total: 0, fileIds: [] })
    await listing.remove(other, [file.fileId])
    t.is((await listing.page(one, { offset: 0, limit: 10 })).total, 1)
  })

  test('what an owner holds is known from the head, and falls with what is removed', async (t) => {
    const records = await options.open(t)
    const owner = nextOwner()
    const [one, two] = [openFileListing(records, smallRoom), openFileListing(records, smallRoom)]
    const files = Array.from({ length: 2 * smallRoom }, (_, at) => ({ ...pending(), sizeBytes: at }))
    t.deepEqual(await one.held(owner), { count: 0, sizeBytes: 0 })
    await Promise.all(files.map((file, at) => (at % 2 === 0 ? one : two).append(owner, [file])))
    await one.append(owner, files)
    await two.mark(owner, files.map(completed))
    await two.append(owner, [pending()])
    const sum = (files.length * (files.length - 1)) / 2
    t.deepEqual(await two.held(owner), { count: files.length + 1, sizeBytes: sum })
    const last = files.at(-1)!
    await one.remove(owner, [last.fileId])
    await two.remove(owner, [last.fileId])
    t.deepEqual(await one.held(owner), { count: files.length, sizeBytes: sum - last.sizeBytes })
  })

  test('pages that were emptied go, whoever empties them, and the head does not grow with what was', async (t) => {
    const records = await options.open(t)
    const owner = nextOwner()
    const [one, two] = [openFileListing(records, smallRoom), openFileListing(records, smallRoom)]
    const kept: FileId[] = []
    for (let round = 0; round < 6; round += 1) {
      const files = Array.from({ length: 2 * smallRoom }, pending)
      await one.append(owner, files)
      const [stays, ...gone] = files.map(({ fileId }) => fileId)
      if (round === 2) kept.push(stays!)
      const going = round === 2 ? gone : [stays!, ...gone]
      await Promise.all(going.map((fileId, at) => (at % 2 === 0 ? one : two).remove(owner, [fileId])))
    }
    t.deepEqual(await two.page(owner, { offset: 0, limit: 50 }), { total: 1, fileIds: kept })
    const head = (await records.heads.read(`${owner}.head`))!.value
    t.is(head.pages.length, 2, 'the page of the one that stays, and the last')
    const left = [...(await records.pages.readUnder(owner)).keys()]
    const pages = left.filter((key) => !key.endsWith('.head'))
    t.deepEqual(pages.toSorted(), head.pages.map(({ page }) => `${owner}.p${page}`).toSorted())
    const later = pending()
    await two.append(owner, [later])
    t.deepEqual((await one.page(owner, { offset: 0, limit: 50 })).fileIds, [later.fileId, ...kept])
  })

  test('a head in which pages have no numbers yet is understood, and goes on', async (t) => {
    const records = await options.open(t)
    const owner = nextOwner()
    const listing = openFileListing(records, smallRoom)
    const files = Array.from({ length: 2 * smallRoom }, pending)
    await listing.append(owner, files)
    const stored = (await records.heads.read(`${owner}.head`))!
    const pages = stored.value.pages.map((page) => withoutNumber(page))
    await records.heads.replace(`${owner}.head`, { pages }, stored.revision)
    const later = pending()
    await listing.append(owner, [later])
    await listing.remove(owner, [files[0]!.fileId])
    const expected = [...files.slice(1), later].map(({ fileId }) => fileId).toReversed()
    t.deepEqual(await listing.page(owner, { offset: 0, limit: 50 }), { total: expected.length, fileIds: expected })
  })

  for (const change of ['append', 'mark', 'remove'] as const)
    test(`a crash between page and head during ${change} is repaired by repeating it`, async (t) => {
      const records = await options.open(t)
      const owner = nextOwner()
      const [audio, crashing] = [
        openFileListing(records, smallRoom),
        openFileListing(crashingAtHead(records), smallRoom),
      ]
      const before = Array.from({ length: 6 }, pending)
      await audio.append(owner, before)
      const added = Array.from({ length: 6 }, pending)
      const perform = (listing: Listing): Promise<void> => {
        if (change === 'append') return listing.append(owner, added)
        if (change === 'mark') return listing.mark(owner, before.map(completed))
        return listing.remove(owner, [before[0]!.fileId, before[5]!.fileId])
      }
      await t.throwsAsync(perform(crashing), { message: 'crashed' })
      await perform(audio)

      const newestFirst = (files: readonly ListedFile[]): FileId[] => files.map(({ fileId }) => fileId).toReversed()
      const expected = {
        append: newestFirst([...before, ...added]),
        mark: newestFirst(before),
        remove: newestFirst(before.slice(1, 5)),
      }[change]
      t.deepEqual(await audio.page(owner, { offset: 0, limit: 50 }), { total: expected.length, fileIds: expected })
      const marked = await audio.page(owner, { offset: 0, limit: 50, status: 'completed' })
      t.is(marked.total, change === 'mark' ? 6 : 0)
    })

  test('what another writer appends after a crash is listed, and so is what the crash left', async (t) => {
    const records = await options.open(t)
    const owner = nextOwner()
    const [audio, crashing] = [openFileListing(records, smallRoom), openFileListing(crashingAtHead(records), smallRoom)]
    const left = Array.from({ length: 9 }, pending)
    await t.throwsAsync(crashing.append(owner, left), { message: 'crashed' })
    const later = pending()
    await audio.append(owner, [later])
    await audio.append(owner, left)
    const { total, fileIds } = await audio.page(owner, { offset: 0, limit: 50 })
    t.is(total, 10)
    t.deepEqual(fileIds.toSorted(), [...left, later].map(({ fileId }) => fileId).toSorted())
  })
}

/** The files as a plain list, the oldest first. */
class Model {
  private files: ListedFile[] = []

  async perform(step: Step, listing: Listing, owner: Owner): Promise<void> {
    if (step.type === 'append') {
      const added = Array.from({ length: step.count }, pending)
      this.files.push(...added)
      return listing.append(owner, added)
    }
    const chosen = this.files[step.which % Math.max(1, this.files.length)]
    if (!chosen) return
    if (step.type === 'remove') {
      this.files = this.files.filter(({ fileId }) => fileId !== chosen.fileId)
      return listing.remove(owner, [chosen.fileId])
    }
    const marked = { ...chosen, status: step.status }
    this.files = this.files.map((file) => (file.fileId === chosen.fileId ? marked : file))
    return listing.mark(owner, [marked])
  }

  async compare(t: ExecutionContext, listing: Listing, owner: Owner): Promise<void> {
    for (const status of [undefined, ...uploadStatuses]) {
      const wanted = this.files
        .filter((file) => status === undefined || file.status === status)
        .map(({ fileId }) => fileId)
        .toReversed()
      for (const { offset, limit } of [
        { offset: 0, limit: 200 },
        { offset: 3, limit: 5 },
      ])
        t.deepEqual(await listing.page(owner, { offset, limit, status }), {
          total: wanted.length,
          fileIds: wanted.slice(offset, offset + limit),
        })
    }
  }
}

function crashingAtHead(records: ListingRecords<FilePage>): ListingRecords<FilePage> {
  const crash = (): Promise<never> => Promise.reject(new Error('crashed'))
  return { ...records, heads: { ...records.heads, create: crash, replace: crash } }
}

/** As the version before stored it. */
function withoutNumber({ revision, counts, fromMs, toMs }: PageSummary): PageSummary {
  return { revision, counts, fromMs, toMs }
}

const pending = (): ListedFile => ({ fileId: aFileId(), status: 'pending' })
const completed = ({ fileId }: ListedFile): ListedFile => ({ fileId, status: 'completed' })

let owners = 0
function nextOwner(): Owner {
  owners += 1
  return anOwner(String(owners).padStart(22, '0'))
}
