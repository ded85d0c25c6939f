import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { terminal } from '../../actors/failure.ts'
import { englishPath } from '../support/english.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { watchFolder } from '../support/watch-folder.ts'

/** Results that are made and cannot be written: they are made once all the same. */

test('a result that cannot be written is only written again, after longer and longer waits, and told once', async (t) => {
  const scene = await aScene(t)
  await scene.block('a.ogg.txt')
  await scene.add('a.ogg')
  await scene.untilTold()
  for (let looks = 0; looks < 5; looks += 1) await scene.look()
  await scene.unblock('a.ogg.txt')
  await eventually('it is written', async () => (await scene.look(), scene.watched.isIdle()))
  t.is(await scene.read('a.ogg.txt'), 'said 1')
  t.deepEqual(scene.begun, ['a.ogg'])
  t.deepEqual(scene.said, [
    `${join(scene.folder, 'a.ogg')}.txt cannot be written: a folder has its name (EISDIR). It is kept, and tried again at least every 5 minutes.`,
  ])
  t.deepEqual(await readdir(scene.drafts), [])
})

test('a result is not tried before its wait is over', async (t) => {
  const scene = await aScene(t)
  await scene.block('a.ogg.txt')
  await scene.add('a.ogg')
  await scene.watched.look()
  await scene.watched.look()
  await eventually('it is told', () => scene.said.length === 1)
  await scene.unblock('a.ogg.txt')
  scene.clock.advance(1_999)
  for (let looks = 0; looks < 3; looks += 1) await scene.watched.look()
  t.deepEqual(await scene.results(), [])
  scene.clock.advance(1)
  await scene.watched.look()
  await eventually('it is written', () => scene.watched.isIdle())
  t.deepEqual(await scene.results(), ['a.ogg.txt'])
})

test('who comes after a restart puts it in its place and does not make it again, also once', async (t) => {
  const first = await aScene(t)
  await first.block('a.ogg.txt')
  await first.add('a.ogg')
  await first.untilTold()
  const once = await aScene(t, { folder: first.folder, isOnce: true })
  await eventually('it is over', async () => (await once.look(), once.watched.isIdle()))
  t.regex(once.said[0] ?? '', /is kept in \.vaak: .* it is only moved\.$/)
  t.is(once.watched.counts.failed, 1)
  await first.unblock('a.ogg.txt')
  const later = await aScene(t, { folder: first.folder })
  await eventually('it is over', async () => (await later.look(), later.watched.isIdle()))
  t.is(await later.read('a.ogg.txt'), 'said 1')
  t.deepEqual([once.begun, later.begun], [[], []])
})

test('where there is no room for a draft either, it is kept in memory, and the others go on', async (t) => {
  const scene = await aScene(t, { during: () => (scene.begun.length === 1 ? scene.blockDrafts() : Promise.resolve()) })
  await scene.add('a.ogg')
  await scene.untilTold()
  await scene.unblockDrafts()
  await scene.add('b.ogg')
  await eventually('both are written', async () => (await scene.look(), scene.watched.counts.written === 2))
  t.is(await scene.read('a.ogg.txt'), 'said 1')
  t.deepEqual(scene.begun, ['a.ogg', 'b.ogg'])
})

test('a reason why not that cannot be written is kept as well', async (t) => {
  const scene = await aScene(t, { isBroken: true })
  await scene.block('a.ogg.failed.txt')
  await scene.add('a.ogg')
  await scene.untilTold()
  await scene.unblock('a.ogg.failed.txt')
  const later = await aScene(t, { folder: scene.folder })
  await eventually('it is over', async () => (await later.look(), later.watched.isIdle()))
  t.is(await later.read('a.ogg.failed.txt'), 'It is broken.\n')
  t.deepEqual([scene.begun, later.begun, later.watched.counts.failed], [['a.ogg'], [], 1])
})

test('of a recording that changes or goes, what was kept goes too', async (t) => {
  const scene = await aScene(t)
  for (const name of ['a.ogg', 'b.ogg']) {
    await scene.block(`${name}.txt`)
    await scene.add(name)
  }
  await scene.untilTold(2)
  const before = await readdir(scene.drafts)
  await scene.add('a.ogg', 2_000)
  await rm(join(scene.folder, 'b.ogg'))
  const later = await aScene(t, { folder: scene.folder })
  await later.look()
  t.deepEqual([before.length, await readdir(scene.drafts)], [2, []])
  await scene.unblock('a.ogg.txt')
  await eventually('it is over', async () => (await later.look(), later.watched.isIdle()))
  t.deepEqual(later.begun, ['a.ogg'])
})

interface SceneOptions {
  readonly folder?: string
  readonly isOnce?: boolean
  readonly isBroken?: boolean
  during?(): Promise<void>
}

async function aScene(t: ExecutionContext, options: SceneOptions = {}) {
  const folder = options.folder ?? (await aFolder(t))
  const recording = await readFile(englishPath)
  const begun: string[] = []
  const drafts = join(folder, '.vaak', 'drafts')
  const { watched, said, clock, look } = await watchFolder(folder, {
    async transcribe(path) {
      begun.push(basename(path))
      await options.during?.()
      if (options.isBroken) return { failure: terminal('unsupported_media', 'It is broken.').failure }
      return { text: `said ${begun.length}` }
    },
    isRecursive: false,
    triesAgain: !options.isOnce,
  })
  return {
    folder,
    watched,
    drafts,
    begun,
    said,
    clock,
    look,
    untilTold: (times = 1) => eventually('it is told', async () => (await look(), said.length === times)),
    add: (name: string, sizeBytes = recording.length) =>
      writeFile(join(folder, name), recording.subarray(0, sizeBytes)),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    results: async () => (await readdir(folder)).filter((name) => name.endsWith('.txt')),
    /** A folder with something in it, which no file can take the place of; older than any recording. */
    block: async (name: string) => {
      await mkdir(join(folder, name, 'inside'), { recursive: true })
      await utimes(join(folder, name), 0, 0)
    },
    unblock: (name: string) => rm(join(folder, name), { recursive: true }),
    blockDrafts: async () => {
      await rename(drafts, `${drafts}.aside`)
      await writeFile(drafts, '')
    },
    unblockDrafts: async () => {
      await rm(drafts)
      await rename(`${drafts}.aside`, drafts)
    },
  }
}
