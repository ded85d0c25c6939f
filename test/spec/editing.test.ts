import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openEditing } from '../../actors/edit/editing.ts'
import type { Change } from '../../actors/edit/protocol.ts'
import { editsKey, passagesKey, runKey, transcriptKey } from '../../actors/ids.ts'
import { removeRunObjects } from '../../actors/run/remove-objects.ts'
import type { RunState } from '../../actors/run/state.ts'
import { newestRuns, searchedKey } from '../../gateway/search/newest-runs.ts'
import { writing } from '../../infra/speech/formats/writing.ts'
import { aRun, nowMs } from '../support/batch-builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

const transcript = aToldTranscript({ text: 'my dada came home.' })
const say = (text: string): readonly Change[] => [{ type: 'text', segment: 0, text }]

/** A transcript in storage; `meanwhile` happens just before the next version is stored. */
async function aDocument() {
  const storage = aMemoryStorage()
  const runs = memoryRecords<RunState>()
  const run = aRun({ phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: nowMs, errors: [] })
  await runs.create(runKey(run), run)
  await storage.blobs.put(transcriptKey(run), { bytes: Buffer.from(JSON.stringify(transcript)) })
  await storage.blobs.put(passagesKey(run), { bytes: Buffer.from('{}') })
  let meanwhile = (): Promise<unknown> => Promise.resolve()
  const blobs: typeof storage.blobs = {
    ...storage.blobs,
    async put(...given) {
      const first = meanwhile
      meanwhile = () => Promise.resolve()
      await first()
      return storage.blobs.put(...given)
    },
  }
  const editing = openEditing({ runs, blobs, clock: aManualClock(), writing })
  return {
    run,
    runs,
    storage,
    editing,
    before: (next: () => Promise<unknown>) => (meanwhile = next),
    edits: () => storage.keys().filter((key) => key.startsWith('edits/')),
    text: async () => {
      const { value } = (await runs.read(runKey(run)))!
      return (await editing.read(value, transcript))?.transcript.result.text
    },
  }
}

async function isRefused(t: ExecutionContext, editing: Promise<unknown>, code: string): Promise<void> {
  const error = await t.throwsAsync(editing)
  t.like(error, { failure: { code } })
}

test('a version is stored once and the one before goes; what was transcribed stays', async (t) => {
  const { editing, run, text, edits, storage } = await aDocument()
  t.like(await editing.change(run, { version: 0, changes: say('one') }), { version: 1, undoVersion: 0 })
  t.like(await editing.change(run, { version: 1, changes: say('two') }), { version: 2, undoVersion: 1 })
  t.is(await text(), 'two')
  t.deepEqual(edits(), [editsKey(run, 2)])
  t.true(storage.keys().includes(transcriptKey(run)))
})

test('of two who edit the same version one is told that the other was first', async (t) => {
  const { editing, run, text, before } = await aDocument()
  before(() => editing.change(run, { version: 0, changes: say('the first') }))
  await isRefused(t, editing.change(run, { version: 0, changes: say('the second') }), 'conflict')
  t.is(await text(), 'the first')
  await isRefused(t, editing.change(run, { version: 0, changes: say('the third') }), 'conflict')
})

test('who was so slow that the version they make was made and left behind changes nothing', async (t) => {
  const { editing, run, text, before, edits } = await aDocument()
  before(async () => {
    await editing.change(run, { version: 0, changes: say('one') })
    await editing.change(run, { version: 1, changes: say('two') })
  })
  await isRefused(t, editing.change(run, { version: 0, changes: say('slow') }), 'conflict')
  t.is(await text(), 'two')
  t.deepEqual(edits(), [editsKey(run, 2)])
})

test('what is deleted or ends while it is edited does not come back', async (t) => {
  for (const end of ['gone', 'expired'] as const) {
    const { editing, run, runs, storage, before } = await aDocument()
    before(async () => {
      const { revision, value } = (await runs.read(runKey(run)))!
      const finished = { ...run.progress, isExpired: true } as RunState['progress']
      await runs.replace(runKey(run), { ...value, progress: end === 'gone' ? { phase: 'gone' } : finished }, revision)
      await removeRunObjects(storage.blobs, run)
    })
    t.is(await editing.change(run, { version: 0, changes: say('late') }), undefined)
    t.deepEqual(storage.keys(), [])
    t.is(await editing.change(run, { version: 0, changes: say('later') }), undefined)
  }
})

test('everything that was edited goes with the run', async (t) => {
  const { editing, run, storage } = await aDocument()
  await editing.change(run, { version: 0, changes: say('one') })
  await removeRunObjects(storage.blobs, run)
  t.deepEqual(storage.keys(), [])
})

test('what was never edited is read without a look at storage', async (t) => {
  const { run, runs } = await aDocument()
  const { blobs } = aMemoryStorage()
  const list = (): never => t.fail('it was looked for')
  const editing = openEditing({ runs, blobs: { ...blobs, list }, clock: aManualClock(), writing })
  t.deepEqual(await editing.read(run, transcript), { transcript })
  t.deepEqual(await editing.read({ ...run, isEdited: true }, transcript, 0), { transcript })
  t.is(await editing.read(run, transcript, 1), undefined)
})

test('the words that are searched are those of the newest version, also where an older one was left', async (t) => {
  const { editing, run, storage } = await aDocument()
  const keys = async () => [...(await newestRuns(storage.blobs, run.owner, 10)).newest.keys()]
  t.deepEqual(await keys(), [passagesKey(run)])
  for (let version = 0; version < 10; version += 1)
    await editing.change(run, { version, changes: say(`version ${version}`) })
  await storage.blobs.put(editsKey(run, 9), { bytes: Buffer.from('{}') })
  t.deepEqual(await keys(), [searchedKey(run.owner, { fileId: run.fileId, batchId: run.batchId, version: 10 })])
  t.deepEqual(await keys(), [editsKey(run, 10)])
})
