import test from 'ava'

import { chunkResultKey, planKey, runFolder } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import type { ModelDigest } from '../../actors/receipt/state.ts'
import { storePlan } from '../../infra/speech/work/plan.ts'
import { takeOverSame } from '../../infra/speech/work/take-over-same.ts'
import { anOwner } from '../support/builders.ts'
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

/** Calls `act` before the object that is opened or put as the `step`th. */
function atStep(blobs: Blobs, step: number, act: () => void | Promise<void>): Blobs {
  let steps = 0
  const next = async (): Promise<void> => {
    if (steps === step) await act()
    steps += 1
  }
  return {
    ...blobs,
    open: async (...given) => (await next(), blobs.open(...given)),
    put: async (...given) => (await next(), blobs.put(...given)),
  }
}

/** Two opened to be looked at and one for the plan, two to be copied, two put, and the plan. */
const stepsInAll = Array.from({ length: 8 }, (_, step) => step)

for (const step of stepsInAll)
  test(`what is broken off before step ${step} is whole when it is done again`, async (t) => {
    const { blobs, order, mine } = await aScene()
    const dying = new AbortController()
    const broken = atStep(blobs, step, () => dying.abort(new Error('killed')))
    await takeOverSame({ blobs: broken }, order, dying.signal).catch(() => undefined)
    const plan = await takeOverSame({ blobs }, order, signal)
    t.is(plan?.chunks.length, 2)
    t.deepEqual(mine().sort(), [planKey(order), chunkResultKey(order, 0), chunkResultKey(order, 1)].sort())
  })

for (const step of stepsInAll.slice(0, -1))
  test(`what is broken off before step ${step} leaves nothing where the other is deleted before it is done again`, async (t) => {
    const { blobs, other, order, mine } = await aScene()
    const broken = atStep(blobs, step, () => {
      throw new Error('killed')
    })
    await t.throwsAsync(takeOverSame({ blobs: broken }, order, signal), { message: 'killed' })
    await blobs.removeAll(runFolder(other))
    t.is(await takeOverSame({ blobs }, order, signal), undefined)
    t.deepEqual(mine(), [], 'the file is cut anew, and none of its chunks says what the other said')
  })

for (const step of stepsInAll.slice(0, 5))
  test(`where the other is deleted before step ${step} the file is transcribed and does not fail`, async (t) => {
    const { blobs, other, order, mine } = await aScene()
    const deleting = atStep(blobs, step, async () => void (await blobs.removeAll(runFolder(other))))
    t.is(await takeOverSame({ blobs: deleting }, order, signal), undefined)
    t.deepEqual(mine(), [])
  })

test('what another user said is never taken, whoever names it', async (t) => {
  const { blobs, other } = await aScene()
  const stranger = { ...anOrder({ sameAs: other }), owner: anOwner('b') }
  t.not(stranger.owner, other.owner)
  t.is(await takeOverSame({ blobs }, stranger, signal), undefined)
})

test('what somebody works on who was first is not touched', async (t) => {
  const { blobs, other, order, mine } = await aScene()
  await takeOverSame({ blobs }, order, signal)
  await blobs.removeAll(runFolder(other))
  t.is(await takeOverSame({ blobs }, order, signal), undefined)
  t.is(mine().length, 3)
})
