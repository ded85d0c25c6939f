import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { englishPath } from '../support/english.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { watchFolder } from '../support/watch-folder.ts'

/** A folder that anybody may put things into. */

interface SceneOptions {
  readonly isOnce?: boolean
  readonly prepare?: (folder: string) => Promise<void>
}

async function aScene(t: ExecutionContext, { isOnce = false, prepare }: SceneOptions = {}) {
  const folder = await aFolder(t)
  await prepare?.(folder)
  const recording = await readFile(englishPath)
  const begun: string[] = []
  const {
    watched,
    said: troubles,
    look,
  } = await watchFolder(folder, {
    async transcribe(path) {
      begun.push(basename(path))
      return { text: 'said' }
    },
    isRecursive: true,
    triesAgain: !isOnce,
  })
  return {
    folder,
    watched,
    begun,
    troubles,
    look,
    add: (name: string) => writeFile(join(folder, name), recording),
    written: async () => (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort(),
  }
}

test('links are left alone, whether they lead out of the folder, back into it or nowhere', async (t) => {
  const { folder, look, watched, begun, add } = await aScene(t)
  const outside = await aFolder(t)
  await writeFile(join(outside, 'secret.ogg'), await readFile(englishPath))
  await symlink(join(outside, 'secret.ogg'), join(folder, 'linked.ogg'))
  await symlink(outside, join(folder, 'outside'))
  await symlink(folder, join(folder, 'loop'))
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling.ogg'))
  await add('own.ogg')
  await eventually('nothing is left to do', async () => (await look(), watched.isIdle()))
  t.deepEqual(begun, ['own.ogg'])
  t.deepEqual(await readdir(outside), ['secret.ogg'])
})

test('a result that is a link to elsewhere is replaced, and what it led to stays as it was', async (t) => {
  const { folder, look, watched, add } = await aScene(t)
  const target = join(await aFolder(t), 'theirs.txt')
  await symlink(target, join(folder, 'a.ogg.txt'))
  await add('a.ogg')
  await eventually('nothing is left to do', async () => (await look(), watched.isIdle()))
  t.is(await readFile(join(folder, 'a.ogg.txt'), 'utf8'), 'said')
  await t.throwsAsync(readFile(target), { code: 'ENOENT' })
})

test('names with lines, dashes, quotes and spaces in them are names', async (t) => {
  const { look, watched, begun, add, written } = await aScene(t)
  const names = ['--once', '-rf', 'two\nlines.ogg', ' ', `'"$(id).ogg`, 'नमस्ते.ogg']
  for (const name of names) await add(name)
  await eventually('nothing is left to do', async () => (await look(), watched.isIdle()))
  t.deepEqual(begun.sort(), names.sort())
  t.deepEqual(await written(), names.map((name) => `${name}.txt`).sort())
})

for (const isOnce of [false, true])
  test(`a name too long for a result is told once, and the others have theirs${isOnce ? ', also once' : ''}`, async (t) => {
    const { look, watched, add, begun, troubles, written } = await aScene(t, { isOnce })
    await add(`a${'x'.repeat(250)}.ogg`)
    for (const name of ['b.ogg', 'c.ogg']) await add(name)
    await eventually('the others are done', async () => (await look(), watched.counts.written === 2))
    for (let times = 0; times < 3; times += 1) await look()
    t.deepEqual(await written(), ['b.ogg.txt', 'c.ogg.txt'])
    t.is(troubles.length, 1)
    t.regex(troubles[0] ?? '', /cannot be taken up: ENAMETOOLONG/)
    t.is(begun.length, 2, 'what could not be written is not made')
    t.is(watched.counts.failed, isOnce ? 1 : 0)
    if (isOnce) t.true(watched.isIdle())
  })

for (const isOnce of [false, true])
  test(`a result that cannot be written holds up no other${isOnce ? ', also once' : ''}`, async (t) => {
    const { folder, look, watched, add, begun, troubles, written } = await aScene(t, { isOnce })
    // a folder with something in it, which no file can take the place of
    await mkdir(join(folder, 'a.ogg.txt', 'inside'), { recursive: true })
    const tomorrow = Date.now() + 86_400_000
    await add('a.ogg')
    await utimes(join(folder, 'a.ogg'), tomorrow / 1000, tomorrow / 1000)
    await add('b.ogg')
    await eventually('the other is done', async () => (await look(), watched.counts.written === 1))
    await eventually('it is told', async () => (await look(), troubles.length > 0))
    t.deepEqual((await written()).sort(), ['a.ogg.txt', 'b.ogg.txt'])
    const drafts = join(folder, '.vaak', 'drafts')
    await eventually('nothing half written is left', async () => (await readdir(drafts)).length === 1)
    t.deepEqual(begun.sort(), ['a.ogg', 'b.ogg'])
    if (isOnce) t.deepEqual([watched.counts.failed, watched.isIdle()], [1, true])
  })

test('a place for drafts that leads elsewhere is no longer one, and nothing is touched there', async (t) => {
  const elsewhere = await aFolder(t)
  await writeFile(join(elsewhere, 'novel.txt'), 'years of work')
  const { look, watched, add, written } = await aScene(t, {
    async prepare(folder) {
      await mkdir(join(folder, '.vaak'))
      await symlink(elsewhere, join(folder, '.vaak', 'drafts'))
    },
  })
  await add('a.ogg')
  await eventually('nothing is left to do', async () => (await look(), watched.isIdle()))
  t.deepEqual([await written(), await readdir(elsewhere)], [['a.ogg.txt'], ['novel.txt']])
})
