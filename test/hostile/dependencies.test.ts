import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import test from 'ava'

const root = new URL('../../../', import.meta.url)
const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(path, root)), 'utf8')

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly integrity?: string; readonly resolved?: string; readonly link?: boolean }>
  >
}

test('every package is locked by its checksum, and none comes from git or from a plain address', async (t) => {
  const { packages } = JSON.parse(await read('package-lock.json')) as Lock
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  t.true(installed.length > 50)
  for (const [path, { integrity, resolved = '' }] of installed) {
    t.regex(integrity ?? '', /^sha512-/, path)
    t.notRegex(resolved, /^(?:git|http:|file:)/, path)
  }
})

test('no install script of any package is run', async (t) => {
  t.regex(await read('.npmrc'), /^ignore-scripts=true$/m)
})
