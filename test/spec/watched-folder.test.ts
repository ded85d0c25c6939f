import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { retryable, terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { watchFolder } from '../support/watch-folder.ts'
import { englishPath } from '../support/english.ts'

test('a recording is taken up when it has stopped growing, and its result appears beside it', async (t) => {
  const { folder, watched, begun, add } = await aScene(t)
  await add('a.wav', 1000)
  await watched.look()
  await add('a.wav', 2000)
  await watched.look()
  t.deepEqual(begun, [])
  await watched.look()
  await eventually('it is done', () => watched.isIdle())
  t.is(await readFile(join(folder, 'a.wav.txt'), 'utf8'), 'a.wav says this')
  t.deepEqual(watched.counts, { written: 1, failed: 0 })
})

test('what has its result is not transcribed again, also by who comes later', async (t) => {
  const scene = await aScene(t)
  await scene.add('a.wav')
  await scene.untilIdle()
  await scene.untilIdle()
  const later = await aScene(t, { folder: scene.folder })
  await later.untilIdle()
  t.deepEqual([scene.begun, later.begun], [['a.wav'], []])
})

test('a recording that changes after its result is transcribed again, also with a clock that is ahead', async (t) => {
  const scene = await aScene(t)
  await scene.add('a.wav')
  await scene.untilIdle()
  const tomorrow = new Date(Date.now() + 86_400_000)
  await utimes(join(scene.folder, 'a.wav'), tomorrow, tomorrow)
  await scene.untilIdle()
  const later = await aScene(t, { folder: scene.folder })
  await later.untilIdle()
  t.deepEqual([scene.begun, later.begun], [['a.wav', 'a.wav'], []])
  t.true((await stat(join(scene.folder, 'a.wav.txt'))).mtime >= tomorrow)
})

test('what is written to while it is transcribed has no result before it is transcribed again', async (t) => {
  const scene = await aScene(t, {
    async before() {
      if (scene.begun.length === 1) await scene.add('a.wav', 3000)
    },
  })
  await scene.add('a.wav')
  await scene.untilIdle()
  t.deepEqual(scene.begun, ['a.wav', 'a.wav'])
  t.is(scene.watched.counts.written, 1)
})

test('what cannot be transcribed gets the reason beside it, and is tried again when that is removed', async (t) => {
  const failures: (FailureError | undefined)[] = [terminal('unsupported_media', 'It is broken.')]
  const scene = await aScene(t, { failures })
  await scene.add('a.wav')
  await scene.untilIdle()
  const reason = join(scene.folder, 'a.wav.failed.txt')
  t.is(await readFile(reason, 'utf8'), 'It is broken.\n')
  t.deepEqual(scene.watched.counts, { written: 0, failed: 1 })
  await rm(reason)
  const later = await aScene(t, { folder: scene.folder })
  await later.untilIdle()
  t.deepEqual(later.begun, ['a.wav'])
})

test('what may go well another time is tried until it does, unless everything is done once', async (t) => {
  const away = retryable('overloaded', 'Come back later.')
  const going = await aScene(t, { failures: [away, away] })
  await going.add('a.wav')
  await going.untilIdle()
  t.deepEqual([going.begun.length, going.watched.counts], [3, { written: 1, failed: 0 }])
  const once = await aScene(t, { failures: [away], triesAgain: false })
  await once.add('a.wav')
  await once.untilIdle()
  t.deepEqual([once.begun.length, once.watched.counts], [1, { written: 0, failed: 1 }])
  t.deepEqual((await readdir(once.folder)).sort(), ['.vaak', 'a.wav'])
})

test('what is no recording, hidden or a result is left alone, and folders in it are seen where asked for', async (t) => {
  const scene = await aScene(t, { isRecursive: true })
  await writeFile(join(scene.folder, 'notes.md'), 'no recording')
  await writeFile(join(scene.folder, 'empty.wav'), '')
  await mkdir(join(scene.folder, 'inner'))
  for (const name of ['.hidden.wav', 'inner/b.wav', 'old.wav.txt']) await scene.add(name)
  await scene.untilIdle()
  t.deepEqual(scene.begun, ['b.wav'])
  const flat = await aScene(t)
  await mkdir(join(flat.folder, 'inner'))
  await flat.add('inner/b.wav')
  await flat.untilIdle()
  t.deepEqual(flat.begun, [])
})

test('no more are under way than may be, and none waits for the next look', async (t) => {
  let most = 0
  let running = 0
  const scene = await aScene(t, {
    async before() {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
    },
  })
  for (const name of ['a.wav', 'b.wav', 'c.wav', 'd.wav']) await scene.add(name)
  await scene.watched.look()
  await scene.watched.look()
  await eventually('all are done', () => scene.watched.isIdle())
  t.deepEqual([most, scene.watched.counts.written], [2, 4])
})

test('trouble with one is told once, and that one is tried again', async (t) => {
  let isBroken = true
  const scene = await aScene(t, {
    before: () => (isBroken ? Promise.reject(new Error('no room')) : Promise.resolve()),
  })
  await scene.add('a.wav')
  await eventually('it was tried thrice', async () => (await scene.look(), scene.begun.length === 3))
  t.deepEqual(scene.said, [`${join(scene.folder, 'a.wav')}: no room`])
  isBroken = false
  await scene.untilIdle()
  t.is(scene.watched.counts.written, 1)
})

test('a recording that goes wrong is tried again after longer and longer waits', async (t) => {
  const scene = await aScene(t, { before: () => Promise.reject(new Error(`trouble ${scene.begun.length}`)) })
  await scene.add('a.wav')
  await scene.watched.look()
  await scene.watched.look()
  await eventually('it has failed', () => scene.said.length === 1)
  for (const [index, waitMs] of [2_000, 4_000, 8_000].entries()) {
    scene.clock.advance(waitMs - 1)
    for (let looks = 0; looks < 3; looks += 1) await scene.watched.look()
    t.is(scene.begun.length, index + 1, `not before ${waitMs} ms`)
    scene.clock.advance(1)
    await scene.watched.look()
    await eventually('it has failed again', () => scene.said.length === index + 2)
  }
})

interface SceneOptions {
  readonly folder?: string
  readonly failures?: (FailureError | undefined)[]
  readonly isRecursive?: boolean
  readonly triesAgain?: boolean
  before?(): Promise<void>
}

async function aScene(t: ExecutionContext, options: SceneOptions = {}) {
  const folder = options.folder ?? (await aFolder(t))
  const begun: string[] = []
  const recording = await readFile(englishPath)
  const { watched, said, clock, look } = await watchFolder(folder, {
    async transcribe(path) {
      begun.push(basename(path))
      await options.before?.()
      const failed = options.failures?.shift()
      return failed ? { failure: failed.failure } : { text: `${basename(path)} says this` }
    },
    isRecursive: options.isRecursive ?? false,
    triesAgain: options.triesAgain ?? true,
  })
  return {
    folder,
    watched,
    begun,
    said,
    clock,
    look,
    add: (name: string, sizeBytes = recording.length) =>
      writeFile(join(folder, name), recording.subarray(0, sizeBytes)),
    async untilIdle() {
      await eventually('nothing is left to do', async () => {
        await look()
        return watched.isIdle()
      })
    },
  }
}
