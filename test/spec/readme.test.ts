import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import test from 'ava'

import { markdownTable } from '../../infra/cli/config.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(path, root)), 'utf8')

test('the README has every setting, as the code has it', async (t) => {
  t.true((await read('README.md')).includes(markdownTable().trim()), 'paste what "npx vaak config --markdown" prints')
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
