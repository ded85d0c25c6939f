import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import test from 'ava'

import { markdownTable } from '../../infra/cli/config.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(path, root)), 'utf8')

/** A formatter may pad the cells of a table. */
const rowsOf = (markdown: string): string[] => markdown.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())

test('the README has every setting, as the code has it', async (t) => {
  const readme = rowsOf(await read('README.md'))
  const [head, , ...settings] = rowsOf(markdownTable().trim())
  for (const row of [head!, ...settings])
    t.true(readme.includes(row), `paste what "vaak config --markdown" prints: ${row}`)
})

test('the README gives a reason for every dependency', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(await read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const readme = await read('README.md')
  const named = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'))
  for (const name of named) t.true(readme.includes(`\`${name}\``), name)
})
