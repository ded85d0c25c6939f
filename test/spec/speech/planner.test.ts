import { setMaxListeners } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError, away } from '../../../actors/failure.ts'
import { chunkAudioKey, planKey } from '../../../actors/ids.ts'
import type { Owner } from '../../../actors/ids.ts'
import type { Planner } from '../../../actors/run/ports.ts'
import type { StoredPlan } from '../../../actors/transcript/state.ts'
import { cutFile } from '../../../infra/speech/engine/cut.ts'
import { decodeChunk } from '../../../infra/speech/work/chunk-audio.ts'
import type { FetchRemote, FetchShares } from '../../../infra/speech/work/fetch-source.ts'
import { createPlanner } from '../../../infra/speech/work/planner.ts'
import type { PlannerParts } from '../../../infra/speech/work/planner.ts'
import { openWorkFolder } from '../../../infra/speech/work/work-folder.ts'
import { aDecoder } from '../../support/decoder.ts'
import type { DecoderShape } from '../../support/decoder.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { levelVad } from '../../support/level-vad.ts'
import { aLog } from '../../support/log.ts'
import { anOrder } from '../../support/speech-orders.ts'
import { watchedBlobs } from '../../support/watched-blobs.ts'
import type { WatchedBlobs } from '../../support/watched-blobs.ts'

const rate = 16_000
const nobody = new AbortController().signal
setMaxListeners(0, nobody) // all tests share it

test('the channels of a call become chunks in the order of time, then of channels', async (t) => {
  const { planner, blobs } = await aPlanner(t, [sounds(60, [1, 4], [20, 23]), sounds(60, [1, 4], [10, 13], [30, 33])])
  const order = anOrder({ settings: { script: 'native', channels: 'separate' } })
  t.deepEqual(await planner.plan(order, nobody), { total: 5, seconds: 60 })
  const plan = planIn(blobs, planKey(order))
  t.is(plan.channels, 2)
  t.deepEqual(
    plan.chunks.map(({ channel }) => channel),
    [0, 1, 1, 0, 1],
  )
  t.true(plan.chunks.every(({ start }, number) => number === 0 || start >= plan.chunks[number - 1]!.start))
  for (const [number, { start, end, channel }] of plan.chunks.entries()) {
    const stored = decodeChunk(blobs.stored.get(chunkAudioKey(order, number))!)
    t.is(stored.channel, channel)
    t.deepEqual([stored.chunk.start / rate, stored.chunk.end / rate], [start, end])
    t.is(stored.samples.length, stored.chunk.end - stored.chunk.start)
    t.true(stored.speech.length > 0)
  }
})

test('what the decoder warns of is in the plan', async (t) => {
  const warnings = [{ code: 'truncated', message: 'The file is incomplete.' }] as const
  const { planner, blobs } = await aPlanner(t, [sounds(10, [1, 4])], { decoder: { warnings } })
  const order = anOrder()
  await planner.plan(order, nobody)
  t.deepEqual(planIn(blobs, planKey(order)).warnings, ['The file is incomplete.'])
})

test('chunks go to storage while the file is cut, a bounded number at a time', async (t) => {
  const blobs = watchedBlobs(async () => {
    for (let turns = 0; turns < 50; turns += 1) await turn()
  })
  const { planner } = await aPlanner(t, [manyAudios(40)], { blobs })
  t.is((await planner.plan(anOrder(), nobody)).total, 40)
  t.is(blobs.mostUnderWay, 8)
})

test('a recording with more passages than the limit is refused with the limit', async (t) => {
  const { planner, blobs } = await aPlanner(t, [manyAudios(4)], { maxChunks: 3 })
  const order = anOrder()
  const error = await t.throwsAsync(planner.plan(order, nobody), { instanceOf: FailureError })
  t.like(error.failure, { kind: 'terminal', code: 'too_large' })
  t.regex(error.message, /more than 3 passages of speech, which is the limit\. Split it/)
  t.false(blobs.stored.has(planKey(order)))
  const { planner: atTheLimit } = await aPlanner(t, [manyAudios(3)], { maxChunks: 3 })
  t.is((await atTheLimit.plan(anOrder(), nobody)).total, 3)
})

test('when storage is away the plan fails as storage says, there is no plan, and the decoding has ended', async (t) => {
  const isAway = away('storage_unavailable', 'The store is away.')
  const released: string[] = []
  const order = anOrder()
  const blobs = watchedBlobs((key) => (key === chunkAudioKey(order, 2) ? Promise.reject(isAway) : turn()))
  const { planner, folder } = await aPlanner(t, [manyAudios(40)], {
    blobs,
    decoder: { onRelease: () => released.push('released') },
  })
  t.is(await t.throwsAsync(planner.plan(order, nobody)), isAway)
  t.false(blobs.stored.has(planKey(order)))
  t.deepEqual(released, ['released'])
  t.deepEqual(await readdir(folder), [])
})

test('nothing is being stored any more when a plan has failed or was aborted', async (t) => {
  for (const how of ['failed', 'aborted']) {
    const stopping = new AbortController()
    let begun = 0
    const blobs = watchedBlobs((key, signal) => {
      begun += 1
      if (how === 'aborted' && begun === 3) stopping.abort(new Error('aborted'))
      if (how === 'failed' && key.endsWith('/2.wav')) return Promise.reject(new Error('failed'))
      return new Promise((_, reject) => {
        const abort = (): void => void turn().then(() => reject(signal?.reason))
        if (signal?.aborted) abort()
        signal?.addEventListener('abort', abort)
      })
    })
    const { planner } = await aPlanner(t, [manyAudios(40)], { blobs })
    await t.throwsAsync(planner.plan(anOrder(), stopping.signal), { message: how })
    t.is(blobs.underWay, 0)
  }
})

test('of two that plan at the same time, the plan of the first holds for both', async (t) => {
  const order = anOrder()
  const first = { seconds: 9, channels: 1, warnings: [], chunks: [] }
  const blobs = watchedBlobs((key) => {
    if (key === planKey(order) && !blobs.stored.has(key)) blobs.stored.set(key, Buffer.from(JSON.stringify(first)))
    return Promise.resolve()
  })
  const { planner } = await aPlanner(t, [manyAudios(3)], { blobs })
  t.deepEqual(await planner.plan(order, nobody), { total: 0, seconds: 9 })
})

test('a recording at a URL is fetched to the work folder, and a refusal is passed on', async (t) => {
  const refusal = new FailureError({ kind: 'terminal', code: 'forbidden', detail: 'This address is private.' })
  const fetchRemote: FetchRemote = () => Promise.reject(refusal)
  const { planner, folder } = await aPlanner(t, [manyAudios(1)], { fetchRemote })
  const order = anOrder({ source: { type: 'url', url: 'http://10.0.0.1/a.wav' } })
  t.is(await t.throwsAsync(planner.fetch(order, nobody)), refusal)
  t.deepEqual(await readdir(folder), [])
})

test('a user fetches no more than their share, all together no more than there are places, and places come back', async (t) => {
  const answers: (() => void)[] = []
  const fetchRemote: FetchRemote = async () => {
    await new Promise<void>((resolve) => void answers.push(resolve))
    return { sizeBytes: 0 }
  }
  const { planner } = await aPlanner(t, [manyAudios(1)], { fetchRemote, fetchShares: { all: 3, perUser: 2 } })
  const fetchOf = (user: string): ReturnType<Planner['fetch']> => {
    const source = { type: 'url', url: 'https://audio.example/a.wav' } as const
    return planner.fetch(anOrder({ source, owner: user as Owner }), nobody) // as: any text tells users apart here
  }
  const begun = [fetchOf('asha'), fetchOf('asha')]
  t.is(await fetchOf('asha'), 'busy')
  begun.push(fetchOf('ravi'))
  t.is(await fetchOf('meera'), 'busy')
  await eventually('all are asked for', () => Promise.resolve(answers.length === 3))
  answers.shift()?.()
  await begun[0]
  begun.push(fetchOf('meera'))
  await eventually('the next is asked for', () => Promise.resolve(answers.length === 3))
  for (const answer of answers) answer()
  for (const fetched of await Promise.all(begun)) t.true(fetched !== undefined && fetched !== 'busy')
})

test('the decoder reads the bytes that were uploaded', async (t) => {
  const read: string[] = []
  const { planner } = await aPlanner(t, [manyAudios(1)], {
    onPath: async (path) => void read.push(await readFile(path, 'utf8')),
  })
  await planner.plan(anOrder(), nobody)
  t.deepEqual(read, ['sound'])
})

interface Shape {
  readonly blobs?: WatchedBlobs
  readonly decoder?: DecoderShape
  readonly maxChunks?: number
  readonly fetchRemote?: FetchRemote
  readonly fetchShares?: FetchShares
  onPath?(path: string): Promise<void>
}

async function aPlanner(
  t: ExecutionContext,
  channels: readonly Float32Array[],
  shape: Shape = {},
): Promise<{ planner: Planner; blobs: WatchedBlobs; folder: string }> {
  const blobs = shape.blobs ?? watchedBlobs()
  blobs.stored.set('uploads/speech', Buffer.from('sound'))
  const folder = await aFolder(t)
  const parts: PlannerParts = {
    blobs,
    folder: await openWorkFolder(folder, aLog()),
    fetchRemote: shape.fetchRemote ?? (() => Promise.reject(new Error('nothing is remote here'))),
    async cut(path, { settings }, signal) {
      await shape.onPath?.(path)
      const decoder = aDecoder(channels, shape.decoder)
      return cutFile({ decoder, vad: levelVad }, path, { channels: settings.channels, signal })
    },
    ...(shape.fetchShares && { fetchShares: shape.fetchShares }),
    ...(shape.maxChunks && { maxChunks: shape.maxChunks }),
  }
  return { planner: createPlanner(parts), blobs, folder }
}

/** Where it is loud, in seconds. */
function sounds(seconds: number, ...spans: readonly (readonly [number, number])[]): Float32Array {
  const samples = new Float32Array(seconds * rate)
  for (const [start, end] of spans) samples.fill(0.5, start * rate, end * rate)
  return samples
}

/** Too far apart to share a chunk. */
function manyAudios(count: number): Float32Array {
  return sounds(8 * count, ...Array.from({ length: count }, (_, index) => [8 * index + 1, 8 * index + 2] as const))
}

function planIn(blobs: WatchedBlobs, key: string): StoredPlan {
  return JSON.parse(Buffer.from(blobs.stored.get(key)!).toString())
}
