import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { versionOfVaak } from '../../cli/version.ts'
import { givenFile } from './packed-file.ts'
import type { PackedFile } from './packed-file.ts'

/** What was compiled for it, for browsers too; where it lies, other parts of Vaak have files as well. */
const compiled = ['client.js', 'client.d.ts', 'api.js', 'api.d.ts']

/** The package of the typed client alone: for programs that talk to a server, and for pages. */
export async function clientContents(checkout: string): Promise<readonly PackedFile[]> {
  const client = join(checkout, 'infra', 'client')
  const manifest: object = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'))
  const made = await Promise.all(
    compiled.map(async (name) => {
      const text = await readFile(join(checkout, '.build', 'infra', 'client', name), 'utf8')
      return givenFile(name, publishable(text))
    }),
  )
  return [
    givenFile('package.json', `${JSON.stringify({ ...manifest, version: await versionOfVaak() }, null, 2)}\n`),
    givenFile('README.md', await readFile(join(client, 'README.md'), 'utf8')),
    givenFile('LICENSE', await readFile(join(checkout, 'LICENSE'), 'utf8')),
    ...made,
  ]
}

/** Neither source maps nor sources are in the package: nothing in it points at them. */
function publishable(text: string): string {
  return text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n').replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'")
}
