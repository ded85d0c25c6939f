import test from 'ava'
import * as fc from 'fast-check'
import { v7 as uuidV7 } from 'uuid'

import { isFileId } from '../../actors/ids.ts'
import type { FileId } from '../../actors/ids.ts'
import {
  candidates,
  emptyPage,
  locate,
  holdsStatus,
  summarisePage,
  total,
  withFile,
  withoutFile,
  withSummary,
} from '../../actors/listing/pages.ts'
import type { FilePage, NumberedHead } from '../../actors/listing/pages.ts'
import type { UploadStatus } from '../../actors/upload/state.ts'

const statuses: readonly UploadStatus[] = ['pending', 'uploading', 'completed', 'failed']

const aFileId = (n: number): FileId => {
  const id = uuidV7({ msecs: 1_000 + n, random: new Uint8Array(16).fill(n % 256) })
  if (!isFileId(id)) throw new Error('not an id')
  return id
}

const somePages = fc.array(fc.array(fc.constantFrom(...statuses), { maxLength: 7 }), { maxLength: 8 })

/** Files in order of age, so many a page, with these statuses. */
function build(plan: readonly (readonly UploadStatus[])[]): {
  head: NumberedHead
  pages: FilePage[]
  all: { fileId: FileId; status: UploadStatus }[]
} {
  const all: { fileId: FileId; status: UploadStatus }[] = []
  const pages = plan.map((input) =>
    input.reduce((page, status) => {
      const file = { fileId: aFileId(all.length), status }
      all.push(file)
      return withFile(page, file)
    }, emptyPage),
  )
  const head = pages.reduce<NumberedHead>(
    (sum, page, index) => withSummary(sum, index, summarisePage(page, index + 1)),
    {
      pages: [],
    },
  )
  return { head, pages, all }
}

test('any offset and limit of any filter shows what a plain newest-first list would show', (t) => {
  const query = fc.record({
    offset: fc.nat(60),
    limit: fc.integer({ min: 1, max: 20 }),
    status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  })
  const property = fc.property(somePages, query, (plan, { offset, limit, status }) => {
    const { head, pages, all } = build(plan)
    const wanted = all.filter((file) => status === undefined || file.status === status).toReversed()
    const { pages: read, skip } = locate(head, { offset, limit, status })
    const shown = read.flatMap((index) => holdsStatus(pages[index]!, status)).slice(skip, skip + limit)
    t.deepEqual(
      shown,
      wanted.slice(offset, offset + limit).map(({ fileId }) => fileId),
    )
    t.is(total(head, status), wanted.length)
  })
  fc.assert(property, { numRuns: 500 })
})

test('a listing reads no page that shows nothing of it', (t) => {
  fc.assert(
    fc.property(somePages, fc.nat(40), fc.integer({ min: 1, max: 20 }), (plan, offset, limit) => {
      const { head, pages } = build(plan)
      const read = locate(head, { offset, limit }).pages
      t.true(read.every((index) => pages[index]!.fileIds.length > 0))
      t.true(read.length <= limit)
    }),
  )
})

test('a file is found in a page that its age points to', (t) => {
  fc.assert(
    fc.property(somePages, (plan) => {
      const { head, pages, all } = build(plan)
      for (const { fileId } of all)
        t.true(candidates(head, fileId).some((index) => pages[index]!.fileIds.includes(fileId)))
    }),
  )
})

test('adding a file twice keeps one, with the later status', (t) => {
  const once = withFile(emptyPage, { fileId: aFileId(1), status: 'pending' })
  const twice = withFile(once, { fileId: aFileId(1), status: 'completed' })
  t.deepEqual(twice.fileIds, [aFileId(1)])
  t.deepEqual(holdsStatus(twice, 'completed'), [aFileId(1)])
  t.deepEqual(holdsStatus(twice, 'pending'), [])
})

test('marking a file with the status it has changes nothing, so nothing is written', (t) => {
  const page = withFile(emptyPage, { fileId: aFileId(1), status: 'pending' })
  t.is(withFile(page, { fileId: aFileId(1), status: 'pending' }), page)
})

test('removing a file that is not there changes nothing', (t) => {
  const page = withFile(emptyPage, { fileId: aFileId(1), status: 'pending' })
  t.is(withoutFile(page, aFileId(2)), page)
  t.deepEqual(withoutFile(page, aFileId(1)), emptyPage)
})

test('an older count of a page never replaces a newer one', (t) => {
  const page = withFile(emptyPage, { fileId: aFileId(1), status: 'pending' })
  const head = withSummary({ pages: [] }, 0, summarisePage(page, 7))
  t.is(withSummary(head, 0, summarisePage(emptyPage, 6)), head)
})
