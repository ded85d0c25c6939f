import test from 'ava'

import { runKey } from '../../actors/ids.ts'
import type { Member } from '../../actors/batch/state.ts'
import type { FinishedRun, RunState, TranscribeSettings } from '../../actors/run/state.ts'
import { contentKey } from '../../actors/upload/state.ts'
import type { CompletedFile, Content } from '../../actors/upload/state.ts'
import { withSameRecordings } from '../../gateway/batches/same-recordings.ts'
import { aRun, bits } from '../support/batch-builders.ts'
import { aFile, anOwner } from '../support/builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

const finished: FinishedRun = { phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: 0, errors: [] }
const settings: TranscribeSettings = { script: 'mixed', channels: 'mix', language: 'hi', profile: 'fast' }

/** Two files with the same bytes, of which one was transcribed; resolves with what the other is told. */
async function toldOf(change: Partial<RunState>, asked: Partial<TranscribeSettings> = {}, part?: Member['part']) {
  const owner = anOwner()
  const [one, other] = [0, 1].map(() => aFile('completed', { owner }) as CompletedFile) as [
    CompletedFile,
    CompletedFile,
  ] // as: it is completed
  const run: RunState = { ...aRun(finished), owner, fileId: one.fileId, settings, ...change }
  const [contents, runs] = [memoryRecords<Content>(), memoryRecords<RunState>()]
  await contents.create(contentKey(one), { storageKey: one.storageKey, holders: [one.fileId, other.fileId] })
  await runs.create(runKey(run), run)
  const { filename, source, estimatedSeconds } = run
  const member: Member = { fileId: other.fileId, filename, source, estimatedSeconds, ...(part && { part }) }
  const submitted = { owner, members: [member], shared: [other], settings: { ...settings, ...asked } }
  const [told] = await withSameRecordings({ contents, runs }, submitted)
  return { sameAs: told?.sameAs, run }
}

test('a file whose bytes were transcribed in the same way as another file is told of that', async (t) => {
  const { sameAs, run } = await toldOf({})
  t.deepEqual(sameAs, { fileId: run.fileId, batchId: run.batchId })
  t.truthy((await toldOf({}, { after: ['summary'] })).sameAs, 'what is written about it does not change it')
})

const otherWays: readonly Partial<TranscribeSettings>[] = [
  { language: 'en' },
  { profile: 'accurate' },
  { script: 'latin' },
  { channels: 'separate' },
  { speakers: 2 },
  { hotwords: ['Vaak'] },
  { vocabulary: { id: 'v', version: 2 } as never }, // as never: any other than none
  { redact: ['phone'] },
  { saidText: 'known' },
]

for (const asked of otherWays)
  test(`what was asked for otherwise is transcribed: ${JSON.stringify(asked)}`, async (t) => {
    t.is((await toldOf({}, asked)).sameAs, undefined)
  })

const unfit: readonly (readonly [string, Partial<RunState>])[] = [
  ['is under way', { progress: { phase: 'queued' } }],
  ['has gaps', { progress: { ...finished, outcome: 'partial' } }],
  ['failed', { progress: { ...finished, outcome: 'failed' } }],
  ['is no longer kept', { progress: { ...finished, isExpired: true } }],
  ['was deleted', { progress: { phase: 'gone' } }],
  ['was transcribed again for some words', { again: bits(1) }],
  ['is of a part', { part: { start: 1 } }],
  ["is somebody else's", { owner: anOwner('b') }],
]

for (const [what, change] of unfit)
  test(`a transcription that ${what} is not taken over`, async (t) => {
    t.is((await toldOf(change)).sameAs, undefined)
  })

test('of a part the same part is taken over', async (t) => {
  t.truthy((await toldOf({ part: { start: 1, end: 2 } }, {}, { start: 1, end: 2 })).sameAs)
  t.is((await toldOf({ part: { start: 1, end: 2 } }, {}, { start: 1, end: 3 })).sameAs, undefined)
})
