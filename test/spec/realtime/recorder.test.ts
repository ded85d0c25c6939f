import { buffer } from 'node:stream/consumers'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { retryable } from '../../../actors/failure.ts'
import type { Timer } from '../../../actors/ports.ts'
import { recordedFrameSamples } from '../../../actors/session-recording/ports.ts'
import type { RecordingHints, SessionTurn } from '../../../actors/session-recording/ports.ts'
import { openSessionRecordings } from '../../../actors/session-recording/recordings.ts'
import { flacFile } from '../../../gateway/session-recordings/flac-file.ts'
import { newIds } from '../../../infra/ids/new-ids.ts'
import { newSessionId } from '../../../infra/ids/session-ids.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import { openRecordings } from '../../../realtime/recording/recordings.ts'
import type { RecordingStop } from '../../../realtime/session/ports.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { aMemoryStorage } from '../../support/memory-blobs.ts'
import { joinedSamples } from '../../support/samples.ts'
import { ownerOf } from '../../support/service.ts'
import { silentLog } from '../../support/silent-log.ts'

const owner = ownerOf('asha')
const loud = (ms: number, rate = 16_000) => ({
  pcm: Int16Array.from({ length: (ms * rate) / 1_000 }, (_, at) => 10_000 * Math.sin(at / 5)),
  rate,
})

/** Time passes when the test says so, and what waits for it happens then. */
function aHand() {
  const clock = aManualClock()
  let waiting: { readonly atMs: number; readonly run: () => void }[] = []
  const timer: Timer = {
    after(ms, run) {
      const entry = { atMs: clock.elapsedMs() + ms, run }
      waiting.push(entry)
      return () => (waiting = waiting.filter((one) => one !== entry))
    },
  }
  const pass = (ms: number): void => {
    for (const endMs = clock.elapsedMs() + ms; clock.elapsedMs() < endMs; clock.advance(100)) {
      const due = waiting.filter(({ atMs }) => atMs <= clock.elapsedMs())
      waiting = waiting.filter((one) => !due.includes(one))
      for (const { run } of due) run()
    }
  }
  return { clock, timer, pass }
}

/** What is recorded, and as what it is read. */
function aRecording(t: ExecutionContext, secondsMax = 3_600) {
  const storage = aMemoryStorage()
  const hand = aHand()
  const recordings = openSessionRecordings(storage.blobs)
  let isAway = false
  const reach = <Result>(result: Promise<Result>): Promise<Result> =>
    isAway ? Promise.reject(retryable('overloaded', 'storage is away')) : result
  const running = openRecordings(
    {
      ...hand,
      storage: () => ({
        ...recordings,
        append: (ref, writer, piece) => reach(recordings.append(ref, writer, piece)),
      }),
      checkUrl: () => undefined,
      ids: newIds(hand.clock),
      newId: newSessionId,
      log: silentLog,
    },
    { secondsMax },
  )
  const recording = running.of(owner).announce()
  const ref = { owner, fileId: recording.fileId }
  const stops: RecordingStop[] = []
  const hindrances: string[] = []
  const turns: SessionTurn[] = []
  /** The last of them holds. */
  const hints: RecordingHints[] = [{}]
  /** By a clock that is so far off. */
  const open = (offMs = 0) =>
    running.of(owner).open({
      sessionId: 'sess_1',
      recording: { ...recording, begunAtMs: recording.begunAtMs - offMs },
      callbackUrl: null,
      turns: () => turns.splice(0),
      hints: () => hints.at(-1)!,
      stopped: (reason) => void stops.push(reason),
      hindered: ({ message }) => void hindrances.push(message),
    })
  return {
    ...hand,
    ref,
    open,
    recordings,
    storage,
    stops,
    hindrances,
    turns,
    hints,
    setAway: (away: boolean) => void (isAway = away),
    /** How loud each channel is, by tenths of a second. */
    async levels(): Promise<number[][]> {
      const path = join(await aFolder(t), 'it.flac')
      await writeFile(path, await buffer(flacFile(await recordings.read(ref))))
      const decoder = createDecoder()
      t.teardown(() => decoder.close())
      const heard: Float32Array[][] = [[], []]
      for await (const channels of await decoder.decode(path, { channels: 'separate' }))
        for (const [channel, samples] of channels.entries()) heard[channel]!.push(samples)
      return heard.map((blocks) => levelsOf(joinedSamples(blocks)))
    },
  }
}

function levelsOf(samples: Float32Array): number[] {
  const step = 1_600
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, at) =>
    Math.max(...samples.subarray(at * step, (at + 1) * step).map(Math.abs)),
  )
}

/** The tenths of a second in which there is something to hear: the first and the last of each stretch. */
function stretchesOf(levels: readonly number[]): number[][] {
  const found: number[][] = []
  for (const [at, level] of levels.entries()) {
    if (level < 0.05) continue
    const last = found.at(-1)
    if (last && at - last[1]! <= 1) last[1] = at
    else found.push([at, at])
  }
  return found
}

test('who speaks is on the left and what is played on the right, each at its time', async (t) => {
  const recording = aRecording(t)
  const recorder = recording.open()
  recording.pass(1_000)
  for (let at = 0; at < 10; at += 1) {
    recording.pass(100)
    recorder.heard(loud(100, 24_000))
  }
  recording.pass(900)
  t.deepEqual(recorder.played(loud(1_000, 8_000)).startMs, 2_900)
  recording.pass(2_000)
  await recorder.finish(true)
  const [left, right] = await recording.levels()
  t.deepEqual(stretchesOf(left!), [[10, 19]])
  t.deepEqual(stretchesOf(right!), [[29, 38]])
})

test('an answer is silent from the moment somebody interrupts it', async (t) => {
  const recording = aRecording(t)
  const recorder = recording.open()
  recorder.played(loud(5_000))
  recording.pass(2_000)
  t.is(recorder.stopPlaying(), 2_000)
  recording.pass(500)
  recorder.played(loud(300))
  recording.pass(1_000)
  await recorder.finish(true)
  const [, right] = await recording.levels()
  t.deepEqual(stretchesOf(right!), [
    [0, 19],
    [25, 27],
  ])
})

test('pieces are stored while the session lasts, and another server goes on where the clock is', async (t) => {
  const recording = aRecording(t)
  const first = recording.open()
  first.heard(loud(100))
  recording.turns.push({ item_id: 'one', role: 'user', start: 0, end: 1, live_text: 'hello' })
  recording.pass(25_000)
  await eventually('a piece is there', async () => (await recording.recordings.read(recording.ref)).frames > 0)
  t.deepEqual(await recording.recordings.ended(), [])
  // nothing is said of the end by who is killed
  const second = recording.open()
  recording.pass(1_000)
  second.heard(loud(200))
  recording.turns.push({ item_id: 'one', role: 'user', start: 0, end: 1, live_text: 'hello there' })
  recording.pass(1_000)
  await second.finish(true)
  t.deepEqual(await recording.recordings.ended(), [recording.ref])
  const stored = await recording.recordings.read(recording.ref)
  t.deepEqual(
    (await stored.notes()).turns.map(({ live_text }) => live_text),
    ['hello there'],
  )
  const [left] = await recording.levels()
  t.deepEqual(
    stretchesOf(left!).map(([from]) => from),
    [0, 258],
  )
})

test('a server whose clock is behind loses nothing of what another wrote, or of its own', async (t) => {
  const recording = aRecording(t)
  const first = recording.open()
  recording.pass(20_000)
  first.heard(loud(500))
  recording.pass(100)
  await first.finish(false)
  const frames = (await recording.recordings.read(recording.ref)).frames
  const second = recording.open(-8_000)
  recording.pass(1_000)
  const { startMs, endMs } = second.heard(loud(500))
  recording.turns.push({ item_id: 'two', role: 'user', start: startMs / 1_000, end: endMs / 1_000, live_text: 'hello' })
  recording.pass(1_000)
  await second.finish(true)
  const [left] = await recording.levels()
  const [before, after] = stretchesOf(left!)
  t.deepEqual(before, [195, 199])
  // it goes on where the other ended, and the turn lies where its sound is
  const [from, to] = after!
  t.is(from, Math.floor((10 * frames * recordedFrameSamples) / 16_000))
  const [turn] = (await (await recording.recordings.read(recording.ref)).notes()).turns
  t.deepEqual([Math.floor(turn!.start * 10), Math.floor(turn!.end * 10)], [from, to])
})

test('a recording tells by which words and in which language its session was understood', async (t) => {
  const recording = aRecording(t)
  const recorder = recording.open()
  recording.hints.push({ language: 'hi', keywords: ['Vaak'], vocabulary: 'the first' })
  recording.pass(15_000)
  recording.hints.push({ language: 'hi', keywords: ['Vaak', 'Asha'], vocabulary: 'the second' })
  recording.pass(15_000)
  recording.hints.push({})
  await recorder.finish(true)
  const { hints } = await (await recording.recordings.read(recording.ref)).notes()
  t.deepEqual(hints, { language: 'hi', keywords: ['Vaak', 'Asha'], vocabulary: 'the second' })
})

test('a recording whose session changed its language is told none', async (t) => {
  const recording = aRecording(t)
  const recorder = recording.open()
  for (const language of ['hi', 'en']) {
    recording.hints.push({ language })
    recording.pass(15_000)
  }
  await recorder.finish(true)
  const { hints } = await (await recording.recordings.read(recording.ref)).notes()
  t.deepEqual(hints, {})
})

test('what gateways say of a recording is told once, and again when it comes again', async (t) => {
  const { recordings, ref, hindrances, pass, open } = aRecording(t)
  const recorder = open()
  const stored = async () => (await recordings.read(ref)).frames
  for (const obstacle of [{ reason: 'quota', message: 'full' } as const, undefined]) {
    for (let piece = 0; piece < 2; piece += 1) {
      await recordings.setObstacle(ref, obstacle)
      const before = await stored()
      pass(15_000)
      await eventually('a piece is there', async () => (await stored()) > before)
    }
  }
  await recordings.setObstacle(ref, { reason: 'quota', message: 'full again' })
  await recorder.finish(true)
  t.deepEqual(hindrances, ['full', 'full again'])
})

test('at its limit a recording ends, and nothing lies behind it', async (t) => {
  const recording = aRecording(t, 4)
  const recorder = recording.open()
  recorder.heard(loud(6_000))
  recording.pass(7_000)
  t.deepEqual(recording.stops.slice(0, 1), ['limit'])
  await recorder.finish(true)
  const { frames } = await recording.recordings.read(recording.ref)
  t.true(frames * 4_096 <= 4 * 16_000 + 4_096)
})

test('while storage is away pieces wait, and after two minutes the recording ends', async (t) => {
  const recording = aRecording(t)
  const recorder = recording.open()
  recording.setAway(true)
  recording.pass(100_000)
  t.deepEqual(recording.stops, [])
  recording.pass(60_000)
  t.true(recording.stops.length > 0)
  t.is(recording.stops[0], 'storage')
  recording.setAway(false)
  await recorder.finish(true)
  t.true((await recording.recordings.read(recording.ref)).frames > 400)
})

test('sound that comes faster than it is spoken is all there, though a minute of it is held at most', async (t) => {
  const recording = aRecording(t)
  const recorder = recording.open()
  for (let minute = 0; minute < 5; minute += 1) recorder.heard(loud(60_000))
  recording.pass(2_000)
  await recorder.finish(true)
  const [left] = await recording.levels()
  t.deepEqual(stretchesOf(left!), [[0, 2_999]])
})
