import test from 'ava'
import * as fc from 'fast-check'
import { v7 as uuidV7 } from 'uuid'

import { isFileId } from '../../actors/ids.ts'
import type { FileId } from '../../actors/ids.ts'
import {
  candidates,
  emptyPage,
  idsWith,
  locate,
  summarisePage,
  total,
  withId,
  withoutId,
  withSummary,
} from '../../actors/listing/pages.ts'
import type { IdPage, NumberedHead } from '../../actors/listing/pages.ts'

const letters = ['p', 'u', 'c', 'f'] as const
type Letter = (typeof letters)[number]

const aFileId = (n: number): FileId => {
  const id = uuidV7({ msecs: 1_000 + n, random: new Uint8Array(16).fill(n % 256) })
  if (!isFileId(id)) throw new Error('not an id')
  return id
}

const somePages = fc.array(fc.array(fc.constantFrom(...letters), { maxLength: 7 }), { maxLength: 8 })

const none: IdPage<FileId> = emptyPage

/** Files in order of age, so many a page, with these statuses. */
function build(plan: readonly (readonly Letter[])[]): {
  head: NumberedHead
  pages: IdPage<FileId>[]
  all: { fileId: FileId; status: Letter }[]
} {
  const all: { fileId: FileId; status: Letter }[] = []
  const pages = plan.map((input) =>
    input.reduce<IdPage<FileId>>((page, status) => {
      const file = { fileId: aFileId(all.length), status }
      all.push(file)
      return withId(page, { id: file.fileId, letter: status })
    }, none),
  )
  const head = pages.reduce<NumberedHead>(
    (sum, page, index) => withSummary(sum, index, summarisePage(page, index + 1, letters)),
    {
      pages: [],
    },
  )
  return { head, pages, all }
}

const placeOf = (status: Letter | undefined): number | undefined =>
  status === undefined ? undefined : letters.indexOf(status)

test('any offset and limit of any filter shows what a plain newest-first list would show', (t) => {
  const query = fc.record({
    offset: fc.nat(60),
    limit: fc.integer({ min: 1, max: 20 }),
    status: fc.option(fc.constantFrom(...letters), { nil: undefined }),
  })
  const property = fc.property(somePages, query, (plan, { offset, limit, status }) => {
    const { head, pages, all } = build(plan)
    const wanted = all.filter((file) => status === undefined || file.status === status).toReversed()
    const { pages: read, skip } = locate(head, { offset, limit }, placeOf(status))
    const shown = read.flatMap((index) => idsWith(pages[index]!, status)).slice(skip, skip + limit)
    t.deepEqual(
      shown,
      wanted.slice(offset, offset + limit).map(({ fileId }) => fileId),
    )
    t.is(total(head, placeOf(status)), wanted.length)
  })
  fc.assert(property, { numRuns: 500 })
})

test('a listing reads no page that shows nothing of it', (t) => {
  fc.assert(
    fc.property(somePages, fc.nat(40), fc.integer({ min: 1, max: 20 }), (plan, offset, limit) => {
      const { head, pages } = build(plan)
      const read = locate(head, { offset, limit }, undefined).pages
      t.true(read.every((index) => pages[index]!.ids.length > 0))
      t.true(read.length <= limit)
    }),
  )
})

test('a file is found in a page that its age points to', (t) => {
  fc.assert(
    fc.property(somePages, (plan) => {
      const { head, pages, all } = build(plan)
      for (const { fileId } of all) t.true(candidates(head, fileId).some((index) => pages[index]!.ids.includes(fileId)))
    }),
  )
})

test('adding a file twice keeps one, with the later status', (t) => {
  const once = withId(none, { id: aFileId(1), letter: 'p' })
  const twice = withId(once, { id: aFileId(1), letter: 'c' })
  t.deepEqual(twice.ids, [aFileId(1)])
  t.deepEqual(idsWith(twice, 'c'), [aFileId(1)])
  t.deepEqual(idsWith(twice, 'p'), [])
})

test('marking a file with the status it has changes nothing, so nothing is written', (t) => {
  const page = withId(none, { id: aFileId(1), letter: 'p' })
  t.is(withId(page, { id: aFileId(1), letter: 'p' }), page)
})

test('removing a file that is not there changes nothing', (t) => {
  const page = withId(none, { id: aFileId(1), letter: 'p' })
  t.is(withoutId(page, aFileId(2)), page)
  t.deepEqual(withoutId(page, aFileId(1)), emptyPage)
})

test('an older count of a page never replaces a newer one', (t) => {
  const page = withId(none, { id: aFileId(1), letter: 'p' })
  const head = withSummary({ pages: [] }, 0, summarisePage(page, 7, letters))
  t.is(withSummary(head, 0, summarisePage(none, 6, letters)), head)
})
