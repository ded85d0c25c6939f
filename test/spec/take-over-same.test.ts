import test from 'ava'

import { chunkResultKey, planKey, runFolder } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import type { ModelDigest } from '../../actors/receipt/state.ts'
import type { RunOrder } from '../../actors/run/state.ts'
import { findPlan, storePlan } from '../../infra/speech/work/plan.ts'
import type { SpeechPlan } from '../../infra/speech/work/speech-plan.ts'
import { takeOverSame } from '../../infra/speech/work/take-over-same.ts'
import { settleTakenOver } from '../../infra/speech/work/taken-over.ts'
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

/** As a worker does it. */
async function takeOverAndSettle(blobs: Blobs, order: RunOrder): Promise<SpeechPlan | undefined> {
  const plan = await takeOverSame({ blobs, isCurrent: async () => true }, order, signal)
  if (plan) await settleTakenOver(blobs, order, plan)
  return plan
}

/** The same of one that found nothing to take over: in one piece, where the other had two. */
async function cutAnew(blobs: Blobs, order: RunOrder): Promise<SpeechPlan> {
  const plan = await storePlan(blobs, order, { seconds: 2, channels: 1, warnings: [], chunks: [planned] })
  await settleTakenOver(blobs, order, plan)
  return plan
}

test('all of it is copied, and the plan says from where', async (t) => {
  const { blobs, other, order, mine } = await aScene()
  const plan = await takeOverAndSettle(blobs, order)
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
    steps += 1
    if (steps === step + 1) await act()
  }
  return {
    ...blobs,
    open: async (...given) => (await next(), blobs.open(...given)),
    put: async (...given) => (await next(), blobs.put(...given)),
  }
}

/** Of who comes there, until it is opened. */
function aStandstill() {
  let reach = (): void => undefined
  let open = (): void => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { reached, open: () => open(), wait: () => (reach(), opened) }
}

/** Two opened to be looked at and one for the plan, two to be copied, two put, and the plan; two to be put in their places, and that. */
const stepsInAll = Array.from({ length: 12 }, (_, step) => step)
const stepsToPlan = 8

for (const step of stepsInAll)
  test(`what is broken off before step ${step} is whole when it is done again`, async (t) => {
    const { blobs, order, mine } = await aScene()
    const broken = atStep(blobs, step, () => {
      throw new Error('killed')
    })
    await t.throwsAsync(takeOverAndSettle(broken, order), { message: 'killed' })
    const plan = (await findPlan(blobs, order)) ?? (await takeOverSame({ blobs }, order, signal))
    await settleTakenOver(blobs, order, plan!)
    t.is(plan?.chunks.length, 2)
    t.deepEqual(mine().sort(), [planKey(order), chunkResultKey(order, 0), chunkResultKey(order, 1)].sort())
  })

for (const step of stepsInAll.slice(0, stepsToPlan))
  test(`what is broken off before step ${step} leaves nothing where the other is deleted before it is done again`, async (t) => {
    const { blobs, other, order, mine } = await aScene()
    const broken = atStep(blobs, step, () => {
      throw new Error('killed')
    })
    await t.throwsAsync(takeOverAndSettle(broken, order), { message: 'killed' })
    await blobs.removeAll(runFolder(other))
    t.is(await takeOverSame({ blobs }, order, signal), undefined)
    await cutAnew(blobs, order)
    t.deepEqual(mine(), [planKey(order)], 'none of its chunks says what the other said')
  })

for (const step of stepsInAll.slice(0, stepsToPlan))
  test(`who stands still before step ${step} while another finds nothing more to take over loses nothing and leaves nothing`, async (t) => {
    const { blobs, other, order, mine } = await aScene()
    const standing = aStandstill()
    const slow = atStep(blobs, step, () => standing.wait())
    const first = takeOverAndSettle(slow, order)
    await standing.reached
    await blobs.removeAll(runFolder(other))
    t.is(await takeOverSame({ blobs }, order, signal), undefined)
    standing.open()
    const took = await first
    const held = await cutAnew(blobs, order)
    t.is(held.chunks.length, took ? 2 : 1)
    const results = took ? [chunkResultKey(order, 0), chunkResultKey(order, 1)] : []
    t.deepEqual(mine().sort(), [planKey(order), ...results].sort())
  })

for (const step of stepsInAll.slice(0, stepsToPlan))
  test(`who stands still before step ${step} while another cuts the file anew leaves no words of another passage`, async (t) => {
    const { blobs, other, order, mine } = await aScene()
    const standing = aStandstill()
    const slow = atStep(blobs, step, () => standing.wait())
    const first = takeOverAndSettle(slow, order)
    await standing.reached
    await blobs.removeAll(runFolder(other))
    await cutAnew(blobs, order)
    standing.open()
    await first
    t.false(mine().some((key) => [0, 1].some((chunk) => key === chunkResultKey(order, chunk))))
  })

for (const step of stepsInAll.slice(0, 5))
  test(`where the other is deleted before step ${step} the file is transcribed and does not fail`, async (t) => {
    const { blobs, other, order, mine } = await aScene()
    const deleting = atStep(blobs, step, async () => void (await blobs.removeAll(runFolder(other))))
    t.is(await takeOverSame({ blobs: deleting }, order, signal), undefined)
    await cutAnew(blobs, order)
    t.deepEqual(mine(), [planKey(order)])
  })

test('what another user said is never taken, whoever names it', async (t) => {
  const { blobs, other } = await aScene()
  const stranger = { ...anOrder({ sameAs: other }), owner: anOwner('b') }
  t.not(stranger.owner, other.owner)
  t.is(await takeOverSame({ blobs }, stranger, signal), undefined)
})

test('what somebody works on who was first is not touched', async (t) => {
  const { blobs, other, order, mine } = await aScene()
  await takeOverAndSettle(blobs, order)
  await blobs.removeAll(runFolder(other))
  t.is(await takeOverSame({ blobs }, order, signal), undefined)
  t.is((await cutAnew(blobs, order)).chunks.length, 2)
  t.is(mine().length, 3)
})
