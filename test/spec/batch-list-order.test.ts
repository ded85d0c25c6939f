import test from 'ava'
import * as fc from 'fast-check'

import { decide } from '../../actors/batch/decide.ts'
import { listedAs } from '../../actors/batch/listed.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { openBatchListing } from '../../actors/listing/batches.ts'
import type { BatchPage } from '../../actors/listing/batches.ts'
import type { Head } from '../../actors/listing/pages.ts'
import { aBatch, moved } from '../support/batch-builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

const outcomes = ['completed', 'partial', 'failed'] as const
const someFiles = fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 5 })

/** The batch after each of its files has ended, and after each of them was deleted. */
function storyOf(files: readonly (typeof outcomes)[number][], deleted: readonly number[]): BatchState[] {
  const reports = [
    ...files.map((outcome, index) => moved(index, outcome)),
    ...deleted.map((index) => moved(index, 'gone')),
  ]
  let batch = aBatch({ total: files.length })
  return [batch, ...reports.map((report) => (batch = decide(batch, [report], { window: 5 }).state))]
}

test('who marks a batch late, as it was before files of it were deleted, does not change what it is listed as', async (t) => {
  const stories = someFiles.chain((files) =>
    fc.record({ files: fc.constant(files), deleted: fc.shuffledSubarray([...files.keys()]), late: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(stories, async ({ files, deleted, late }) => {
      const story = storyOf(files, deleted)
      const last = story.at(-1)!
      const listing = openBatchListing({ heads: memoryRecords<Head>(), pages: memoryRecords<BatchPage>() })
      await listing.append(last.owner, [listedAs(story[0]!)])
      for (const batch of [...story, story[late % story.length]!]) await listing.mark(last.owner, [listedAs(batch)])
      const { status } = listedAs(last)
      const { ids } = await listing.walk(last.owner, { limit: 1, status })
      t.deepEqual(ids, [last.batchId])
    }),
  )
})
