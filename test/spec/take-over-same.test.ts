import test from 'ava'

import { chunkResultKey, planKey } from '../../actors/ids.ts'
import type { ModelDigest } from '../../actors/receipt/state.ts'
import { storePlan } from '../../infra/speech/work/plan.ts'
import { takeOverSame } from '../../infra/speech/work/take-over-same.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { anOrder } from '../support/speech-orders.ts'
import { aTranscribedChunk } from '../support/transcribed-chunk.ts'

/** What another file with the same bytes says becomes what this one does, or nothing of it. */

const { signal } = new AbortController()
const models: readonly ModelDigest[] = [{ id: 'm', files: [{ path: 'm.onnx', sha256: '0'.repeat(64) }] }]
const samples = { start: 0, end: 1, ownStart: 0, ownEnd: 1 }
const planned = { start: 0, end: 1, channel: 0, samples, speech: [] }

async function aScene({ results = [0, 1] }: { readonly results?: readonly number[] } = {}) {
  const storage = aMemoryStorage()
  const { blobs } = storage
  const other = anOrder()
  const order = anOrder({ sameAs: { fileId: other.fileId, batchId: other.batchId } })
  await storePlan(blobs, other, { seconds: 2, channels: 1, warnings: [], chunks: [planned, planned] })
  for (const chunk of results) {
    const told = { start: 0, end: 1, text: '', language: 'hi', confidence: 1, model: 'm' }
    const stored = {
      ...told,
      attempts: 1,
      startedAtMs: chunk,
      tookMs: 1,
      heard: aTranscribedChunk({ words: [], models }),
    }
    await blobs.put(chunkResultKey(other, chunk), { bytes: Buffer.from(JSON.stringify(stored)) })
  }
  return { blobs, other, order, mine: () => storage.keys().filter((key) => key.includes(order.fileId)) }
}

test('all of it is copied, and the plan says from where', async (t) => {
  const { blobs, other, order, mine } = await aScene()
  const plan = await takeOverSame({ blobs, isCurrent: async () => true }, order, signal)
  t.deepEqual(plan?.sameAs, { file_id: other.fileId, batch_id: other.batchId })
  t.deepEqual(mine().sort(), [planKey(order), chunkResultKey(order, 0), chunkResultKey(order, 1)].sort())
})

test('where one chunk is missing nothing is copied', async (t) => {
  const { blobs, order, mine } = await aScene({ results: [0] })
  t.is(await takeOverSame({ blobs }, order, signal), undefined)
  t.deepEqual(mine(), [])
})

test('what other models made is not copied', async (t) => {
  const { blobs, order, mine } = await aScene()
  const asked: (readonly ModelDigest[])[] = []
  const isCurrent = async (_: unknown, used: readonly ModelDigest[]): Promise<boolean> => (asked.push(used), false)
  t.is(await takeOverSame({ blobs, isCurrent }, order, signal), undefined)
  t.deepEqual(asked[0], models)
  t.deepEqual(mine(), [])
})

test('a run that is told of no other takes nothing over', async (t) => {
  const { blobs } = await aScene()
  t.is(await takeOverSame({ blobs }, anOrder(), signal), undefined)
})
