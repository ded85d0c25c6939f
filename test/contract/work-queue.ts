import type { ExecutionContext, TestFn } from 'ava'

import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { FailureError } from '../../actors/failure.ts'
import type { Delivered, Slotted, WorkQueue } from '../../actors/ports.ts'
import { eventually } from '../support/eventually.ts'
import { aFileRef, aWorker, chunkWorkOf, idOf, ownersInDifferentLanes, ownersInOneLane } from '../support/queues.ts'

interface QueueUnderTest {
  readonly queue: WorkQueue<ChunkWork>
  /** Somebody who takes from it, drained with the test. */
  readonly run: (options: RunOptions) => { drain(graceMs: number): Promise<void> }
}

interface RunOptions {
  readonly slots: number
  readonly handle: (delivered: Slotted<ChunkWork>) => Promise<void>
  readonly deadlineMs?: number
  readonly isPatient?: (work: ChunkWork, heldMs: number) => boolean
}

type OpenQueue = (t: ExecutionContext, options: { isSeparate: boolean }) => Promise<QueueUnderTest>

const now = { delayMs: 0, isRetry: false }

/** What every queue of work owes those who fill it and those who take from it. `open` gives one that is empty. */
export function workQueueContract(test: TestFn, open: OpenQueue): void {
  const openOne = (t: ExecutionContext): Promise<QueueUnderTest> => open(t, { isSeparate: false })

  test.serial('what was enqueued is delivered as it was, and for the first time', async (t) => {
    const { queue, run } = await openOne(t)
    const [work] = chunkWorkOf(aFileRef({ index: 7 }), 1)
    const orderOfTheSameFile = { filename: 'not for a queue' }
    await queue.enqueue({ ...orderOfTheSameFile, ...work! }, { id: 'one', ...now })
    const worker = aWorker()
    run({ slots: 1, handle: worker.handle })
    const [taken] = await eventually('it is delivered', () => worker.taken.length > 0 && worker.taken)
    t.deepEqual(taken?.work, work)
    t.is(taken?.deliveries, 1)
  })

  test.serial('what is no work is refused as a bug instead of being thrown away by a worker', async (t) => {
    const { queue } = await openOne(t)
    const [work] = chunkWorkOf(aFileRef(), 1)
    await t.throwsAsync(queue.enqueue({ ...work!, attempt: 0 }, { id: 'one', ...now }), { name: 'Error' })
    await t.throwsAsync(queue.enqueue({ ...work!, chunk: Number.NaN }, { id: 'two', ...now }), { name: 'Error' })
    t.deepEqual(await queue.outstanding(work!), [])
  })

  test.serial('what is enqueued while a worker waits is delivered soon, not with the next look', async (t) => {
    const { queue, run } = await openOne(t)
    const worker = aWorker()
    worker.finishAll()
    run({ slots: 2, handle: worker.handle })
    let soon = 0
    let idleMs = performance.now()
    for (const work of chunkWorkOf(aFileRef(), 9)) {
      await eventually('it has looked and waits', () => performance.now() - idleMs > 300)
      const enqueuedMs = performance.now()
      await queue.enqueue(work, { id: idOf(work), ...now })
      await eventually('it is delivered', () => worker.taken.length > work.chunk)
      idleMs = performance.now()
      if (idleMs - enqueuedMs < 400) soon += 1
    }
    t.true(soon >= 5, `${soon} of 9`)
  })

  test.serial('the same id is stored once; another id is other work', async (t) => {
    const { queue, run } = await openOne(t)
    const [first, second] = chunkWorkOf(aFileRef(), 2)
    for (let time = 0; time < 3; time += 1) await queue.enqueue(first!, { id: idOf(first!), ...now })
    await queue.enqueue(second!, { id: idOf(second!), ...now })
    const worker = aWorker()
    run({ slots: 8, handle: worker.handle })
    await eventually('the last is delivered', () => worker.taken.some(({ work }) => work.chunk === 1))
    t.deepEqual(
      worker.taken.map(({ work }) => work.chunk),
      [0, 1],
    )
  })

  test.serial('a delayed piece of work comes when its time has come, not before, and once', async (t) => {
    const { queue, run } = await openOne(t)
    const [early, late] = chunkWorkOf(aFileRef(), 2)
    const worker = aWorker()
    worker.finishAll()
    run({ slots: 4, handle: worker.handle })
    const enqueuedMs = performance.now()
    for (let time = 0; time < 2; time += 1)
      await queue.enqueue(late!, { id: idOf(late!), delayMs: 2_000, isRetry: false })
    await queue.enqueue(early!, { id: idOf(early!), ...now })
    await eventually('the other is delivered', () => worker.taken.length > 0)
    t.is(worker.taken[0]?.work.chunk, 0)
    await eventually('it is delivered', () => worker.taken.length > 1)
    t.true(performance.now() - enqueuedMs >= 1_990, 'it came too early')
    t.deepEqual(worker.taken[1]?.work, late)
    t.is(worker.taken[1]?.deliveries, 1)
    await eventually('nothing is left', async () => (await queue.outstanding(late!)).length === 0)
    t.is(worker.taken.length, 2)
  })

  test.serial('outstanding is what waits, what is in hand and what is due later, and not what is done', async (t) => {
    const { queue, run } = await openOne(t)
    const ref = aFileRef()
    const [done, handling, waiting] = chunkWorkOf(ref, 3)
    const delayed = { ...ref, chunk: 3, attempt: 2 }
    t.deepEqual(await queue.outstanding(ref), [])
    const worker = aWorker()
    run({ slots: 1, handle: worker.handle })
    await queue.enqueue(done!, { id: idOf(done!), ...now })
    const [first] = await eventually('the first is in hand', () => worker.taken.length === 1 && worker.taken)
    await queue.enqueue(handling!, { id: idOf(handling!), ...now })
    first?.finish()
    await eventually('the second is in hand', () => worker.taken.length === 2)
    await queue.enqueue(waiting!, { id: idOf(waiting!), ...now })
    await queue.enqueue(delayed, { id: idOf(delayed), delayMs: 60_000, isRetry: true })
    const outstanding = await eventually('the first is gone', async () => {
      const found = await queue.outstanding(ref)
      return found.length === 3 && found
    })
    t.deepEqual(
      outstanding.toSorted((one, other) => one.chunk - other.chunk),
      [handling!, waiting!, delayed],
    )
  })

  test.serial('outstanding is of one file in one batch', async (t) => {
    const { queue } = await openOne(t)
    const ref = aFileRef()
    const others = [aFileRef({ fileId: ref.fileId }), aFileRef({ batchId: ref.batchId, index: 1 })]
    for (const [work] of [ref, ...others].map((input) => chunkWorkOf(input, 1)))
      await queue.enqueue(work!, { id: idOf(work!), ...now })
    t.deepEqual(await queue.outstanding(ref), chunkWorkOf(ref, 1))
  })

  test.serial('outstanding sees every attempt and every one of many', async (t) => {
    const { queue } = await openOne(t)
    const ref = aFileRef()
    const all = chunkWorkOf(ref, 300).flatMap((work) => [work, { ...work, attempt: 12 }])
    await Promise.all(
      all.map((work, at) => queue.enqueue(work, { id: idOf(work), delayMs: (at % 3) * 60_000, isRetry: at % 2 === 1 })),
    )
    const key = ({ chunk, attempt }: ChunkWork): number => chunk * 100 + attempt
    const found = await queue.outstanding(ref)
    t.deepEqual(
      found.toSorted((one, other) => key(one) - key(other)),
      all.toSorted((one, other) => key(one) - key(other)),
    )
  })

  test.serial('a worker has as much in hand as it has slots, and the rest is left to others', async (t) => {
    const { queue, run } = await openOne(t)
    const works = ownersInDifferentLanes(3).flatMap((owner) => chunkWorkOf(aFileRef({ owner }), 4))
    for (const work of works) await queue.enqueue(work, { id: idOf(work), ...now })
    const [full, other] = [aWorker(), aWorker()]
    run({ slots: 5, handle: full.handle })
    await eventually('the worker is full', () => full.taken.length >= 5)
    run({ slots: 20, handle: other.handle })
    await eventually('the other has the rest', () => other.taken.length >= 7)
    t.is(full.taken.length, 5)
    t.is(other.taken.length, 7)
    t.true(
      other.taken.every(({ deliveries }) => deliveries === 1),
      'nothing was taken only to be given back',
    )
    full.taken[0]?.finish()
    const [another] = chunkWorkOf(aFileRef(), 1)
    other.finishAll()
    await eventually('the slot is free', () => full.handling().length === 4)
    await queue.enqueue(another!, { id: idOf(another!), ...now })
    await eventually('all is taken', () => full.taken.length + other.taken.length === 13)
    t.true(full.handling().length <= 5)
  })

  test.serial(
    'when who had much lately has all slots, there is one more, and whoever comes to it is told so',
    async (t) => {
      const { queue, run } = await openOne(t)
      const [many, few] = ownersInDifferentLanes(2)
      const worker = aWorker()
      const putOff: ChunkWork[] = []
      const isPatient = ({ owner }: ChunkWork): boolean => owner === many
      run({
        slots: 2,
        isPatient,
        async handle(delivered) {
          if (delivered.isSpare && isPatient(delivered.work)) putOff.push(delivered.work)
          else await worker.handle(delivered)
        },
      })
      const backlog = chunkWorkOf(aFileRef({ owner: many! }), 4)
      for (const work of backlog) await queue.enqueue(work, { id: idOf(work), ...now })
      await eventually('all slots are taken, and the rest was told', () => worker.taken.length + putOff.length === 4)
      const short = chunkWorkOf(aFileRef({ owner: few! }), 2)
      for (const work of short) await queue.enqueue(work, { id: idOf(work), ...now })
      await eventually('one of the other is begun', () => worker.taken.length >= 3)
      worker.taken[2]?.finish()
      await eventually('and the next', () => worker.taken.length >= 4)
      t.deepEqual(
        worker.taken.map(({ work }) => work.owner),
        [many, many, few, few],
      )
      worker.finishAll()
    },
  )

  test.serial('when all slots have been held for long, whoever they are held for, there is one more', async (t) => {
    const { queue, run } = await openOne(t)
    const [many, few] = ownersInDifferentLanes(2)
    const worker = aWorker()
    let isLong = false
    run({ slots: 2, isPatient: (_, heldMs) => isLong && heldMs > 0, handle: worker.handle })
    const backlog = chunkWorkOf(aFileRef({ owner: many! }), 2)
    for (const work of backlog) await queue.enqueue(work, { id: idOf(work), ...now })
    await eventually('all slots are taken', () => worker.taken.length === 2)
    const [short] = chunkWorkOf(aFileRef({ owner: few! }), 1)
    await queue.enqueue(short!, { id: idOf(short!), ...now })
    isLong = true
    await eventually('the other has one', () => worker.taken.length === 3)
    t.deepEqual(
      worker.taken.map(({ work }) => work.owner),
      [many, many, few],
    )
    worker.finishAll()
  })

  test.serial('a user with one file is not behind hundreds of another', async (t) => {
    const { queue, run } = await openOne(t)
    const [one, other] = ownersInDifferentLanes(2)
    for (const [many, few] of [
      [one!, other!],
      [other!, one!],
    ] as const) {
      const flood = chunkWorkOf(aFileRef({ owner: many }), 100)
      await enqueueInOrder(queue, flood)
      await enqueueInOrder(queue, chunkWorkOf(aFileRef({ owner: few }), 3))
      const worker = aWorker()
      worker.finishAll()
      const running = run({ slots: 1, handle: worker.handle })
      await eventually('all is done', () => worker.taken.length === 103)
      await running.drain(1_000)
      const last = worker.taken.findLastIndex(({ work }) => work.owner === few)
      t.true(last < 10, `the last of three was number ${last}`)
    }
  })

  test.serial(
    'of twenty users whose names hash alike nobody with little waits for much of the one with most',
    async (t) => {
      const { queue, run } = await openOne(t)
      const [many, ...others] = ownersInOneLane(20)
      await enqueueInOrder(queue, chunkWorkOf(aFileRef({ owner: many! }), 300))
      for (const owner of others) await enqueueInOrder(queue, chunkWorkOf(aFileRef({ owner }), 2))
      const worker = aWorker()
      worker.finishAll()
      run({ slots: 1, handle: worker.handle })
      await eventually('all is done', () => worker.taken.length === 338)
      const last = worker.taken.findLastIndex(({ work }) => work.owner !== many)
      const waitedFor = worker.taken.slice(0, last).filter(({ work }) => work.owner === many).length
      t.true(waitedFor <= 20, `the last of ${others.length} waited for ${waitedFor} of 300`)
    },
  )

  test.serial('who has most is not forgotten while others come with little', async (t) => {
    const { queue, run } = await openOne(t)
    const [many, few] = ownersInDifferentLanes(2)
    const heavy = chunkWorkOf(aFileRef({ owner: many! }), 1)[0]!
    await queue.enqueue(heavy, { id: idOf(heavy), ...now, ahead: 10_000 })
    for (const work of chunkWorkOf(aFileRef({ owner: few! }), 200))
      await queue.enqueue(work, { id: idOf(work), ...now })
    const worker = aWorker()
    worker.finishAll()
    run({ slots: 1, handle: worker.handle })
    await eventually('all is done', () => worker.taken.length === 201)
    const at = worker.taken.findIndex(({ work }) => work.owner === many)
    t.true(at <= 64, `it was number ${at} of 201`)
  })

  test.serial('what its handler rejects comes again, and says that it does', async (t) => {
    const { queue, run } = await openOne(t)
    const [work] = chunkWorkOf(aFileRef(), 1)
    await queue.enqueue(work!, { id: 'one', ...now })
    const worker = aWorker()
    run({ slots: 1, handle: worker.handle })
    const [first] = await eventually('it is delivered', () => worker.taken.length === 1 && worker.taken)
    first?.fail()
    const [, second] = await eventually('it comes again', () => worker.taken.length === 2 && worker.taken)
    t.deepEqual(second?.work, work)
    t.is(second?.deliveries, 2)
    second?.finish()
    await eventually('it is done', async () => (await queue.outstanding(work!)).length === 0)
  })

  test.serial('an attempt that takes too long is told so, and may still be finished', async (t) => {
    const { queue, run } = await openOne(t)
    const [work] = chunkWorkOf(aFileRef(), 1)
    await queue.enqueue(work!, { id: 'one', ...now })
    const reasons: unknown[] = []
    const handle = ({ signal }: Delivered<ChunkWork>): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          resolve()
        })
      })
    run({ slots: 1, deadlineMs: 200, handle })
    await eventually('it is done', async () => (await queue.outstanding(work!)).length === 0)
    t.is(reasons.length, 1)
    const [reason] = reasons
    t.true(reason instanceof FailureError)
    t.like(reason, { failure: { kind: 'retryable', code: 'deadline_exceeded' } })
  })

  test.serial('who leaves finishes what is begun, and takes no more', async (t) => {
    const { queue, run } = await openOne(t)
    const works = chunkWorkOf(aFileRef(), 3)
    for (const work of works) await queue.enqueue(work, { id: idOf(work), ...now })
    const worker = aWorker()
    const running = run({ slots: 2, handle: worker.handle })
    await eventually('it is full', () => worker.handling().length === 2)
    const drained = running.drain(60_000)
    for (const taken of worker.handling()) taken.finish()
    await drained
    t.is(worker.taken.length, 2)
    t.false(worker.taken.some(({ signal }) => signal.aborted))
    t.deepEqual(await queue.outstanding(works[0]!), [works[2]!])
  })

  test.serial('what who leaves cannot finish is stopped and given to another at once', async (t) => {
    const { queue, run } = await openOne(t)
    const [obedient, stubborn] = chunkWorkOf(aFileRef(), 2)
    const leaving = aWorker()
    const running = run({
      slots: 2,
      handle: (delivered) =>
        delivered.work.chunk === 0 ? leaving.handle(delivered) : leaving.handle({ ...delivered, signal: never() }),
    })
    for (const work of [obedient!, stubborn!]) await queue.enqueue(work, { id: idOf(work), ...now })
    await eventually('both are in hand', () => leaving.handling().length === 2)
    await running.drain(0)
    t.is(leaving.handling().length, 1)
    const reason: unknown = leaving.taken.find(({ work }) => work.chunk === 0)?.signal.reason
    t.false(reason instanceof FailureError, 'nothing failed')

    const next = aWorker()
    run({ slots: 4, handle: next.handle })
    await eventually('both are with another', () => next.taken.length === 2)
    t.deepEqual(
      next.taken.map(({ deliveries }) => deliveries),
      [2, 2],
    )
  })

  for (const isSeparate of [false, true]) {
    test.serial(`retries are delivered ${isSeparate ? 'with' : 'without'} a queue of their own`, async (t) => {
      const { queue, run } = await open(t, { isSeparate })
      const ref = aFileRef()
      const works = [1, 2, 3].map((attempt) => ({ ...ref, chunk: 0, attempt }))
      await queue.enqueue(works[0]!, { id: idOf(works[0]!), ...now })
      await queue.enqueue(works[1]!, { id: idOf(works[1]!), delayMs: 0, isRetry: true })
      await queue.enqueue(works[2]!, { id: idOf(works[2]!), delayMs: 1_000, isRetry: true })
      t.is((await queue.outstanding(ref)).length, 3)
      const worker = aWorker()
      worker.finishAll()
      run({ slots: 1, handle: worker.handle })
      await eventually('all are done', async () => (await queue.outstanding(ref)).length === 0)
      t.deepEqual(
        worker.taken.map(({ work }) => work.attempt),
        [1, 2, 3],
      )
    })
  }

  test.serial('a queue of retries is read after the fresh work', async (t) => {
    const { queue, run } = await open(t, { isSeparate: true })
    const [one, other] = ownersInDifferentLanes(2)
    const retries = chunkWorkOf(aFileRef({ owner: one! }), 5).map((work) => ({ ...work, attempt: 2 }))
    const fresh = chunkWorkOf(aFileRef({ owner: other! }), 5)
    for (const work of retries) await queue.enqueue(work, { id: idOf(work), delayMs: 0, isRetry: true })
    for (const work of fresh) await queue.enqueue(work, { id: idOf(work), ...now })
    const worker = aWorker()
    worker.finishAll()
    run({ slots: 1, handle: worker.handle })
    await eventually('all is done', () => worker.taken.length === 10)
    t.deepEqual(
      worker.taken.map(({ work }) => work.attempt),
      [1, 1, 1, 1, 1, 2, 2, 2, 2, 2],
    )
  })
}

/** As actors do it: each piece has those before it ahead. */
async function enqueueInOrder(queue: WorkQueue<ChunkWork>, works: readonly ChunkWork[]): Promise<void> {
  await Promise.all(works.map((work, ahead) => queue.enqueue(work, { id: idOf(work), ...now, ahead })))
}

function never(): AbortSignal {
  return new AbortController().signal
}
