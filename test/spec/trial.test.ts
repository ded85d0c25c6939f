import test from 'ava'

import { createQuarantine, noTurn } from '../../actors/attempt/quarantine.ts'
import type { Survival } from '../../actors/attempt/marks.ts'
import { onTrial } from '../../actors/attempt/trial.ts'
import type { Suspicion, TrialPorts } from '../../actors/attempt/trial.ts'
import { away, retryable } from '../../actors/failure.ts'
import type { Blobs, Records } from '../../actors/ports.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import type { MemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const folder = 'trial/3.1/'

interface Scene {
  readonly storage: MemoryStorage
  readonly survivals: Records<Survival>
  /** Another worker with the same storage and broker. */
  readonly worker: () => TrialPorts
}

function aScene(): Scene {
  const storage = aMemoryStorage()
  const survivals = memoryRecords<Survival>()
  let workers = 0
  let marks = 0
  return {
    storage,
    survivals,
    worker: () => ({
      blobs: storage.blobs,
      survivals,
      nextMarkId: () => `mark-${(marks += 1)}`,
      quarantine: createQuarantine(),
      clock: aManualClock(),
      workerId: `worker-${(workers += 1)}`,
      pauseAfter: () => Promise.resolve(),
      suspect: () => undefined,
    }),
  }
}

function suspicion(deliveries: number, deathsMax = 3): Suspicion {
  return { deliveries, deathsMax, folder, signal: new AbortController().signal }
}

const heard = (): Promise<string> => Promise.resolve('heard')
const done = { kind: 'done', value: 'heard' }

/** A worker that dies of it never comes back from it. */
async function dies({ storage, worker }: Scene, input: Suspicion): Promise<void> {
  const before = storage.keys()
  await new Promise<void>((begun) => {
    void onTrial(worker(), input, () => {
      begun()
      return new Promise(() => undefined)
    })
  })
  if (input.deliveries > 1 && storage.keys().every((key) => before.includes(key))) throw new Error('it left no mark')
}

test('work that comes for the first time leaves no mark', async (t) => {
  const scene = aScene()
  await dies(scene, suspicion(1))
  t.deepEqual(scene.storage.keys(), [])
})

test('work that comes again leaves a mark for as long as it is done, and none when it is done', async (t) => {
  const scene = aScene()
  let during: string[] = []
  const result = await onTrial(scene.worker(), suspicion(2), async () => {
    during = scene.storage.keys()
    return heard()
  })
  t.deepEqual(result, done)
  t.deepEqual(during, [`${folder}mark-1`])
  t.deepEqual(scene.storage.keys(), [])
  t.deepEqual(await scene.survivals.keys(), [])
})

test('work that fails takes its mark away too: only a death leaves one', async (t) => {
  const scene = aScene()
  const no = new Error('no')
  const failed = await onTrial(scene.worker(), suspicion(2), () => Promise.reject(no))
  t.like(failed, { kind: 'failed', failure: { code: 'worker_failed' }, cause: no })
  t.deepEqual(scene.storage.keys(), [])
})

test('work that failed in time failed for its own reason, although its time was over before its mark was gone', async (t) => {
  const { storage, worker } = aScene()
  const time = new AbortController()
  const blobs = {
    ...storage.blobs,
    remove: (key: string) => {
      time.abort(retryable('deadline_exceeded', 'It took too long.'))
      return storage.blobs.remove(key)
    },
  }
  const busy = onTrial({ ...worker(), blobs }, { ...suspicion(2), signal: time.signal }, () =>
    Promise.reject(retryable('overloaded', 'Come back later.')),
  )
  t.like(await busy, { kind: 'failed', failure: { code: 'overloaded' } })
  t.true(time.signal.aborted)
})

test('so many workers may die of it and no more', async (t) => {
  const scene = aScene()
  await dies(scene, suspicion(1))
  await dies(scene, suspicion(2))
  await dies(scene, suspicion(3))
  const lost = await onTrial(scene.worker(), suspicion(4), heard)
  t.like(lost, { kind: 'failed', failure: { kind: 'terminal', code: 'worker_lost' } })
})

test('work that came again and again without a death is done all the same', async (t) => {
  const scene = aScene()
  t.deepEqual(await onTrial(scene.worker(), suspicion(42), heard), done)
})

test('who comes again has one chance, however few deaths are allowed', async (t) => {
  const scene = aScene()
  t.deepEqual(await onTrial(scene.worker(), suspicion(2, 1), heard), done)
  await dies(scene, suspicion(2, 1))
  t.is((await onTrial(scene.worker(), suspicion(3, 1), heard)).kind, 'failed')
})

const gone = away('storage_unavailable', 'It is away.')

test('who cannot take its mark away keeps the work in hand until it can', async (t) => {
  const { storage, worker } = aScene()
  let refusals = 3
  const flaky = {
    ...storage.blobs,
    remove: (key: string) => (refusals-- > 0 ? Promise.reject(gone) : storage.blobs.remove(key)),
  }
  t.deepEqual(await onTrial({ ...worker(), blobs: flaky }, suspicion(2), heard), done)
  t.deepEqual(storage.keys(), [])
})

test('work whose mark was stored without an answer leaves none, and is left', async (t) => {
  const { storage, worker } = aScene()
  const deaf: Blobs = {
    ...storage.blobs,
    async put(...given) {
      await storage.blobs.put(...given)
      throw gone
    },
  }
  t.deepEqual(await onTrial({ ...worker(), blobs: deaf }, suspicion(2), heard), { kind: 'left', cause: gone })
  t.deepEqual(storage.keys(), [])
})

test('the mark of one who died is not taken away by another who was not answered', async (t) => {
  const scene = aScene()
  await dies(scene, suspicion(2))
  const mute: Blobs = { ...scene.storage.blobs, put: () => Promise.reject(gone) }
  t.like(await onTrial({ ...scene.worker(), blobs: mute }, suspicion(3), heard), { kind: 'left' })
  t.deepEqual(scene.storage.keys(), [`${folder}mark-1`])
})

/** Storage goes away while it works, and is not back when it must let go. */
async function letsGo({ storage, worker }: Scene, input: Suspicion, given: Partial<TrialPorts> = {}): Promise<unknown> {
  const stopping = new AbortController()
  const pauseAfter = async (): Promise<void> => stopping.abort(new Error('stop'))
  const blobs = { ...storage.blobs }
  return onTrial({ ...worker(), pauseAfter, blobs, ...given }, { ...input, signal: stopping.signal }, () => {
    blobs.remove = () => Promise.reject(gone)
    return heard()
  })
}

test('who must stop while storage is away leaves the work, whatever came of it', async (t) => {
  t.deepEqual(await letsGo(aScene(), suspicion(2)), { kind: 'left', cause: gone })
})

test('who keeps work in hand until storage is back tells at once that it is away', async (t) => {
  const suspected: unknown[] = []
  await letsGo(aScene(), suspicion(2), { suspect: (error) => suspected.push(error) })
  t.deepEqual(suspected, [gone])
})

test('the mark of one who let go while storage was away is no death, and is cleared away by whoever comes next', async (t) => {
  const scene = aScene()
  for (let delivery = 2; delivery < 12; delivery += 1) {
    await letsGo(scene, suspicion(delivery, 2))
    t.is(scene.storage.keys().length, 1)
  }
  t.deepEqual(await onTrial(scene.worker(), suspicion(12, 2), heard), done)
  t.deepEqual(scene.storage.keys(), [])
  t.deepEqual(await scene.survivals.keys(), [])
})

test('nor is that of one whom storage did not answer when it left the mark', async (t) => {
  const scene = aScene()
  const blobs: Blobs = {
    ...scene.storage.blobs,
    async put(...given) {
      await scene.storage.blobs.put(...given)
      throw gone
    },
    remove: () => Promise.reject(gone),
  }
  t.deepEqual(await letsGo(scene, suspicion(2, 2), { blobs }), { kind: 'left', cause: gone })
  t.deepEqual(scene.storage.keys(), [`${folder}mark-1`])
  t.deepEqual(await onTrial(scene.worker(), suspicion(3, 2), heard), done)
})

test('nor that of one whom storage leaves without any answer while others go on', async (t) => {
  const scene = aScene()
  await new Promise<void>((asked) => {
    const remove = (): Promise<never> => {
      asked()
      return new Promise(() => undefined)
    }
    void letsGo(scene, suspicion(2, 2), { blobs: { ...scene.storage.blobs, remove } })
  })
  t.deepEqual(await onTrial(scene.worker(), suspicion(3, 2), heard), done)
})

test('who let go and later died of it counts as one who died', async (t) => {
  const scene = aScene()
  await letsGo(scene, suspicion(2, 2))
  await dies(scene, suspicion(3, 2))
  t.like(await onTrial(scene.worker(), suspicion(4, 2), heard), { kind: 'failed', failure: { code: 'worker_lost' } })
})

test('while the broker is away a mark is taken away all the same', async (t) => {
  const scene = aScene()
  const mute = () => Promise.reject(away('broker_unavailable', 'It is away.'))
  const survivals = { ...scene.survivals, create: mute, erase: mute }
  t.deepEqual(await onTrial({ ...scene.worker(), survivals }, suspicion(2), heard), done)
  t.deepEqual(scene.storage.keys(), [])
})

test('a mark that goes while marks are counted is no death', async (t) => {
  const scene = aScene()
  await dies(scene, suspicion(2, 2))
  const before = scene.storage.keys()
  const survivals: Records<Survival> = {
    ...scene.survivals,
    async read() {
      for (const key of before) await scene.storage.blobs.remove(key)
      return undefined
    },
  }
  t.deepEqual(await onTrial({ ...scene.worker(), survivals }, suspicion(3, 2), heard), done)
})

test('who waited for others longer than it worked has had no turn, and who worked longer has failed', async (t) => {
  const { worker } = aScene()
  const clock = aManualClock()
  const ports = { ...worker(), clock }
  const late = retryable('deadline_exceeded', 'It took too long.')
  for (const [waitedMs, workedMs, expected] of [
    [50, 10, noTurn],
    [10, 50, { kind: 'failed', failure: late.failure, cause: late }],
  ] as const) {
    const controller = new AbortController()
    const before = onTrial(ports, suspicion(2), async () => clock.advance(waitedMs))
    const waiting = onTrial(ports, { ...suspicion(1), signal: controller.signal }, async () => {
      clock.advance(workedMs)
      controller.abort(late)
      throw late
    })
    await before
    t.deepEqual(await waiting, expected)
  }
})

test('nor has one failed whose time was over at the door, although enough have died of it', async (t) => {
  const scene = aScene()
  await dies(scene, suspicion(2, 2))
  const clock = aManualClock()
  const ports = { ...scene.worker(), clock }
  const controller = new AbortController()
  const slow: TrialPorts['blobs'] = {
    ...ports.blobs,
    put(key, source, options) {
      controller.abort(late)
      return ports.blobs.put(key, source, options)
    },
  }
  const late = retryable('deadline_exceeded', 'It took too long.')
  const before = onTrial(ports, { ...suspicion(2), folder: 'trial/4.1/' }, async () => clock.advance(50))
  const waiting = onTrial({ ...ports, blobs: slow }, { ...suspicion(3, 2), signal: controller.signal }, heard)
  await before
  t.is(await waiting, noTurn)
})
