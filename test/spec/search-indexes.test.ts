import test from 'ava'

import { isBatchId, passagesKey } from '../../actors/ids.ts'
import type { BatchId, FileId } from '../../actors/ids.ts'
import { openIndexes } from '../../gateway/search/indexes.ts'
import { newestRuns } from '../../gateway/search/newest-runs.ts'
import { fileWeight } from '../../gateway/search/user-index.ts'
import { searchTerms } from '../../infra/speech/text/search-terms.ts'
import { aFileId, anOwner } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'

/** Each file says one word of its own, and `said`. */
const wordsPerFile = 2

/** `filesMax`: what a gateway keeps ready. */
function aScene(filesMax: number) {
  const { blobs } = aMemoryStorage()
  let gate = Promise.resolve()
  const clock = aManualClock()
  let reads = 0
  const counted = {
    list: (prefix: string) => blobs.list(prefix),
    open: async (key: string) => {
      reads += 1
      await gate
      return blobs.open(key)
    },
  }
  const indexes = openIndexes({ blobs: counted, clock, termsOf: searchTerms }, filesMax * (fileWeight + wordsPerFile))
  const words = (...texts: string[]) => texts.map((text, at) => [text, at, at + 1] as const)
  return {
    reads: () => reads,
    /** Holds every read back until what it returns is called. */
    hold: () => {
      let release = (): void => undefined
      gate = new Promise((resolve) => (release = resolve))
      return release
    },
    remove: (fileId: FileId, batch: number, user = 'a') =>
      blobs.remove(passagesKey({ owner: anOwner(user), fileId, batchId: batchNumber(batch) })),
    add: async (fileId: FileId, batch: number, { word, user = 'a' }: { word: string; user?: string }) => {
      const bytes = Buffer.from(JSON.stringify({ filename: word, passages: [words('said', word)] }))
      await blobs.put(passagesKey({ owner: anOwner(user), fileId, batchId: batchNumber(batch) }), { bytes })
    },
    find: async (query: string, user = 'a') => {
      clock.advance(1_000)
      const { index, leftOut } = await indexes.of(anOwner(user))
      return { files: index.search(query).map(({ run }) => run.fileId), leftOut }
    },
  }
}

/** In the order of their making, as their ids are. */
function batchNumber(number: number): BatchId {
  const id = `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

test('what is new is taken in, what is gone is forgotten, and nothing is read twice', async (t) => {
  const { add, remove, find, reads } = aScene(100)
  const [first, second] = [aFileId(), aFileId()]
  await add(first, 1, { word: 'mango' })
  t.deepEqual((await find('mango')).files, [first])
  await add(second, 2, { word: 'mango' })
  t.deepEqual((await find('mango')).files.toSorted(), [first, second].toSorted())
  t.is(reads(), 2)
  await remove(first, 1)
  t.deepEqual((await find('mango')).files, [second])
  t.is(reads(), 2)
})

test('of a file that was transcribed again the newest words are found, and no others', async (t) => {
  const { add, find } = aScene(100)
  const fileId = aFileId()
  await add(fileId, 1, { word: 'mango' })
  t.deepEqual((await find('mango')).files, [fileId])
  await add(fileId, 2, { word: 'cherry' })
  t.deepEqual((await find('mango')).files, [])
  t.deepEqual((await find('cherry')).files, [fileId])
})

test('when a newer file needs the room the oldest is left out, and those between are not read again', async (t) => {
  const { add, remove, find, reads } = aScene(2)
  const files = [aFileId(), aFileId(), aFileId()]
  await add(files[0]!, 1, { word: 'mango' })
  await add(files[1]!, 2, { word: 'banana' })
  t.deepEqual(await find('mango'), { files: [files[0]!], leftOut: 0 })
  await add(files[2]!, 3, { word: 'cherry' })
  t.deepEqual(await find('mango'), { files: [], leftOut: 1 })
  t.deepEqual((await find('banana')).files, [files[1]!])
  t.deepEqual((await find('cherry')).files, [files[2]!])
  await remove(files[2]!, 3)
  t.deepEqual(await find('mango'), { files: [files[0]!], leftOut: 0 })
  t.is(reads(), 4, 'each once, and the oldest again')
})

test('who searched longest ago is dropped for others, and comes back', async (t) => {
  const { add, find, reads } = aScene(1)
  const [mine, theirs] = [aFileId(), aFileId()]
  await add(mine, 1, { word: 'mango', user: 'a' })
  await add(theirs, 2, { word: 'mango', user: 'b' })
  t.deepEqual((await find('mango', 'a')).files, [mine])
  t.deepEqual((await find('mango', 'b')).files, [theirs])
  t.is(reads(), 2)
  t.deepEqual((await find('mango', 'a')).files, [mine])
  t.is(reads(), 3)
})

test('those who search for the first time at the same moment share the room, and find the rest afterwards', async (t) => {
  const { add, find, hold } = aScene(3)
  const files = { a: [aFileId(), aFileId()], b: [aFileId(), aFileId()] }
  for (const user of ['a', 'b'] as const)
    for (const [at, fileId] of files[user].entries()) await add(fileId, at + 1, { word: 'mango', user })
  const release = hold()
  const both = [find('mango', 'a'), find('mango', 'b')]
  release()
  const found = await Promise.all(both)
  t.true(
    found.some(({ leftOut }) => leftOut > 0),
    'not all of it fits',
  )
  for (const { files: those, leftOut } of found) t.is(those.length, 2 - leftOut)
  t.deepEqual((await find('mango', 'a')).files.toSorted(), files.a.toSorted())
  t.deepEqual((await find('mango', 'b')).files.toSorted(), files.b.toSorted())
})

test('of very many files only the newest are looked at, and the others are counted', async (t) => {
  const { blobs } = aMemoryStorage()
  const owner = anOwner('a')
  const ids = Array.from({ length: 50 }, () => aFileId())
  for (const [at, fileId] of ids.entries())
    for (const batchId of [batchNumber(at + 1), batchNumber(100 + at)])
      await blobs.put(passagesKey({ owner, fileId, batchId }), { bytes: Buffer.from('{}') })
  const { newest, more } = await newestRuns(blobs, owner, 3)
  t.deepEqual(
    [...newest.values()].map(({ fileId }) => fileId),
    ids.slice(-3).toReversed(),
  )
  t.is(more, 47)
})
