import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { englishPath } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { runVaak, startVaak } from '../../support/processes.ts'

test.serial(
  'what appears in a folder is transcribed once, also when the one that watches is killed and another goes on',
  async (t) => {
    const folder = await aFolder(t)
    const inFolder = async (): Promise<string[]> =>
      (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort()
    await copyFile(englishPath, join(folder, 'one.ogg'))
    await writeFile(join(folder, 'letter.doc'), 'This is no recording.')
    const first = startVaak(t, ['watch', '--every', '1', '--language', 'en', folder])
    await eventually('the first has its text', async () => (await inFolder()).length > 0)
    await copyFile(englishPath, join(folder, 'two.ogg'))
    await first.kill9()
    const { code, stdout } = await runVaak(t, ['watch', '--once', '--every', '1', '--language', 'en', folder])
    t.is(code, 0)
    t.is(stdout, `${join(folder, 'two.ogg')}.txt\n`, 'the first is not transcribed again')
    t.deepEqual(await inFolder(), ['one.ogg.txt', 'two.ogg.txt'])
    t.is(await readFile(join(folder, 'one.ogg.txt'), 'utf8'), await readFile(join(folder, 'two.ogg.txt'), 'utf8'))
  },
)

test.serial('one at a time watches a folder, and what is no folder is refused', async (t) => {
  const folder = await aFolder(t)
  const first = startVaak(t, ['watch', folder])
  await eventually('it watches', async () => (await readdir(folder)).includes('.vaak'))
  await eventually('it has locked the folder', async () => (await readdir(join(folder, '.vaak'))).includes('drafts'))
  const second = await runVaak(t, ['watch', '--once', folder])
  t.deepEqual([second.code, second.stderr], [2, `Another "vaak watch" looks after ${folder}. Stop it first.\n`])
  await first.kill9()
  const missing = await runVaak(t, ['watch', join(folder, 'missing')])
  t.deepEqual([missing.code, missing.stderr], [2, `${join(folder, 'missing')} is no folder that can be read.\n`])
})

test.serial('a place for its own things that leads elsewhere is refused, and nothing is touched there', async (t) => {
  const [folder, elsewhere] = [await aFolder(t), await aFolder(t)]
  await mkdir(join(elsewhere, 'drafts'))
  await writeFile(join(elsewhere, 'drafts', 'novel.txt'), 'years of work')
  await symlink(elsewhere, join(folder, '.vaak'))
  const { code, stderr } = await runVaak(t, ['watch', '--once', folder])
  t.deepEqual([code, stderr], [2, `${join(folder, '.vaak')} is a link to another place. Remove it first.\n`])
  t.deepEqual(await readdir(elsewhere), ['drafts'])
  t.is(await readFile(join(elsewhere, 'drafts', 'novel.txt'), 'utf8'), 'years of work')
})
