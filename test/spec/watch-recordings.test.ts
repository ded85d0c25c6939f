import test from 'ava'

import type { RecordingRef } from '../../actors/session-recording/ports.ts'
import { openSessionRecordings } from '../../actors/session-recording/recordings.ts'
import { retryable } from '../../actors/failure.ts'
import { watchRecordings } from '../../gateway/session-recordings/watch.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { eventually } from '../support/eventually.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { ownerOf } from '../support/service.ts'
import { silentLog } from '../support/silent-log.ts'

/** Looks when the test says so; every file of a recording is one that could not be stored, which ends it. */
async function aWatch(t: { teardown(run: () => Promise<void>): void }) {
  const storage = aMemoryStorage()
  const clock = aManualClock()
  const sessionRecordings = openSessionRecordings(storage.blobs)
  let wake: (() => void) | undefined
  const timer = {
    after(_: number, run: () => void) {
      wake = run
      return () => undefined
    },
  }
  const fileRecords = { read: async () => ({ value: { status: 'failed' } }) }
  let isFull = false
  const storedQuota = {
    async admit() {
      if (isFull) throw retryable('quota_exceeded', 'Your quota is 2 files.')
    },
  }
  const ports = { sessionRecordings, clock, timer, fileRecords, storedQuota, log: silentLog }
  const options = { submit: {}, everyMs: 1, abandonedMs: 60_000, giveUpMs: 1_000_000 }
  // as: nothing else is asked for
  const watch = watchRecordings(ports as never, options as never)
  t.teardown(() => watch.close())
  const ref: RecordingRef = { owner: ownerOf('asha'), fileId: newIds(clock).nextFileId() }
  return {
    clock,
    storage,
    ref,
    sessionRecordings,
    setFull: (full: boolean) => void (isFull = full),
    /** So many looks that one of them was for what nobody ended. */
    look: async () => {
      for (let looks = 0; looks < 12; looks += 1) {
        const run = await eventually('it waits', () => wake)
        wake = undefined
        run()
      }
      await eventually('it waits again', () => wake)
    },
  }
}

const frame = Uint8Array.of(1, 2, 3)

test('a session of which nothing comes for long is over, and one of which something comes is not', async (t) => {
  const { sessionRecordings, ref, clock, storage, look } = await aWatch(t)
  await sessionRecordings.begin({ ...ref, sessionId: 'sess_1', begunAtMs: 0 })
  for (let minute = 0; minute < 3; minute += 1) {
    await sessionRecordings.append(ref, 'writer', { firstFrame: minute, frames: [frame], turns: [], hints: {} })
    clock.advance(59_000)
    await look()
  }
  t.deepEqual(await sessionRecordings.ended(), [])
  clock.advance(60_000)
  await look()
  await look()
  t.deepEqual(storage.keys(), [])
})

test('whose quota is full is said while it is recorded, and no more when there is room', async (t) => {
  const { sessionRecordings, ref, look, setFull } = await aWatch(t)
  await sessionRecordings.begin({ ...ref, sessionId: 'sess_1', begunAtMs: 0 })
  setFull(true)
  await look()
  t.regex((await sessionRecordings.obstacle(ref))!.message, /quota/)
  setFull(false)
  await look()
  t.is(await sessionRecordings.obstacle(ref), undefined)
})

test('a recording in which nothing was stored leaves nothing behind', async (t) => {
  const { sessionRecordings, ref, storage, look } = await aWatch(t)
  await sessionRecordings.begin({ ...ref, sessionId: 'sess_1', begunAtMs: 0 })
  await sessionRecordings.end(ref)
  await look()
  t.deepEqual(storage.keys(), [])
})

test('what comes of a recording that is no more is cleared away', async (t) => {
  const { sessionRecordings, ref, storage, look } = await aWatch(t)
  await sessionRecordings.append(ref, 'writer', { firstFrame: 0, frames: [frame], turns: [], hints: {} })
  await sessionRecordings.end(ref)
  await look()
  t.deepEqual(storage.keys(), [])
})
