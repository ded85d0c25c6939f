import test from 'ava'

import { runKey } from '../../actors/ids.ts'
import type { RunState } from '../../actors/run/state.ts'
import { isFileThere } from '../../actors/upload/is-there.ts'
import type { UploadedFile } from '../../actors/upload/state.ts'
import { aRun } from '../support/batch-builders.ts'
import { aFile } from '../support/builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

const planning = aRun({ phase: 'planning', attempt: 1, sinceMs: 0 })
const fromUrl: RunState = { ...planning, source: { type: 'url', url: 'https://example.org/speech.wav' } }
const goneFromUrl: RunState = { ...fromUrl, progress: { phase: 'gone' } }

function someRecords() {
  return { files: memoryRecords<UploadedFile>(), runs: memoryRecords<RunState>() }
}

for (const [what, file, isThere] of [
  ['in storage is there', aFile('completed'), true],
  ['that is being deleted is not', aFile('purging'), false],
  ['without a record is not', undefined, false],
] as const)
  test(`an uploaded file ${what}`, async (t) => {
    const records = someRecords()
    if (file) await records.files.create(planning.fileId, file)
    t.is(await isFileThere(records, planning), isThere)
  })

for (const [what, run, isThere] of [
  ['is there while its run is', fromUrl, true],
  ['is not when its run is gone', goneFromUrl, false],
  ['is not when its run was forgotten', undefined, false],
] as const)
  test(`a file that came as an address ${what}`, async (t) => {
    const records = someRecords()
    if (run) await records.runs.create(runKey(run), run)
    t.is(await isFileThere(records, fromUrl), isThere)
  })

test('a file that was looked for when its run was issued is not looked for again', async (t) => {
  t.true(await isFileThere(someRecords(), { ...planning, isTied: true }))
})
