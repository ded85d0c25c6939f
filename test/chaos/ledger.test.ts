import test from 'ava'

import { createRandom } from '../sim/random.ts'
import { createLedger } from './clients/ledger.ts'
import type { Ledger } from './clients/ledger.ts'
import { aChaosRecording } from './clients/recordings.ts'
import type { ChaosRecording } from './clients/recordings.ts'
import { verify } from './clients/verify.ts'
import { createHistory } from './history.ts'
import type { History } from './history.ts'

const fileId = 'file'
const batchId = 'batch'

/** Somebody has uploaded a recording with two chunks and submitted it. */
function aScene(): { history: History; ledger: Ledger; recording: ChaosRecording } {
  const history = createHistory()
  const ledger = createLedger(history)
  const recording: ChaosRecording = {
    content: new Uint8Array(),
    outcome: 'completed',
    calls: 2,
    chunks: [
      { text: 'heard 1', varies: false, fails: false },
      { text: 'heard 2', varies: true, fails: false },
    ],
  }
  ledger.uploaded({ user: 'u', key: 'u-1', uploadId: 'upload', files: new Map([[fileId, recording]]) })
  ledger.submitted({ user: 'u', key: 'b-1', batchId, fileIds: [fileId] })
  return { history, ledger, recording }
}

const shown = {
  file_id: fileId,
  status: 'completed',
  result: { text: 'heard 1 heard 2 77' },
  chunk_results: [
    { chunk_index: 0, status: 'completed', text: 'heard 1' },
    { chunk_index: 1, status: 'completed', text: 'heard 2 77' },
  ],
}

function rulesIn({ complaints }: History): string[] {
  return complaints.map(({ check }) => check)
}

test('what is as it should be is not complained about', (t) => {
  const { history, ledger } = aScene()
  ledger.sawBatch(batchId, 'processing')
  ledger.sawBatch(batchId, 'completed')
  ledger.sawFile(batchId, shown)
  ledger.sawFile(batchId, shown)
  verify(history, ledger.files.get(fileId)!, shown)
  t.deepEqual(history.complaints, [])
})

test('a key that gives two ids is complained about', (t) => {
  const { history, ledger } = aScene()
  ledger.submitted({ user: 'u', key: 'b-1', batchId: 'another', fileIds: [fileId] })
  t.deepEqual(rulesIn(history), ['once'])
})

test('a batch that goes on after its end is complained about', (t) => {
  const { history, ledger } = aScene()
  ledger.sawBatch(batchId, 'completed')
  ledger.sawBatch(batchId, 'processing')
  t.deepEqual(rulesIn(history), ['final'])
})

test('a chunk that says something else the next time is complained about', (t) => {
  const { history, ledger } = aScene()
  const other = { ...shown, status: 'processing', result: undefined }
  ledger.sawFile(batchId, other)
  ledger.sawFile(batchId, { ...other, chunk_results: [{ chunk_index: 1, status: 'completed', text: 'heard 2 78' }] })
  t.deepEqual(rulesIn(history), ['results'])
})

const wrongs: readonly [string, object][] = [
  ['has lost a chunk', { chunk_results: shown.chunk_results.slice(0, 1) }],
  ['says a chunk twice', { result: { text: 'heard 1 heard 1 heard 2 77' } }],
  ['says chunks in another order', { chunk_results: shown.chunk_results.toReversed() }],
  [
    'has other words',
    { chunk_results: [{ chunk_index: 0, status: 'completed', text: 'heard 9' }, shown.chunk_results[1]] },
  ],
  ['failed', { status: 'failed', errors: [] }],
  ['has a gap', { result: { ...shown.result, gaps: [{ chunk_index: 1 }] } }],
]

for (const [what, wrong] of wrongs)
  test(`a transcript that ${what} is complained about`, (t) => {
    const { history, ledger } = aScene()
    verify(history, ledger.files.get(fileId)!, { ...shown, ...wrong })
    t.true(rulesIn(history).length > 0 && rulesIn(history).every((rule) => rule === 'words'))
  })

test('recordings of a seed are the same, and something of each can be heard', (t) => {
  const some = (seed: number): ChaosRecording[] => {
    const random = createRandom(seed, 'recordings')
    let audio = 0
    return Array.from({ length: 12 }, () => aChaosRecording({ random, slowShare: 0.1, nextAudio: () => (audio += 1) }))
  }
  const facts = (seed: number): string =>
    JSON.stringify(some(seed).map(({ content, ...rest }) => ({ ...rest, sizeBytes: content.length })))
  t.is(facts(1), facts(1))
  t.not(facts(1), facts(2))
  for (const { chunks, outcome } of some(2)) t.true(outcome === 'failed' || chunks.some(({ fails }) => !fails))
})
