import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { z } from 'zod'

const packageSchema = z.object({
  name: z.literal('vaak'),
  version: z.string(),
  engines: z.object({ node: z.string() }),
})

/** Of this program, as its package says. */
export async function versionOfVaak(): Promise<string> {
  return (await ownPackage()).version
}

/** The oldest Node.js that it runs on. */
export async function nodeNeeded(): Promise<string> {
  return `${(await ownPackage()).engines.node.replace(/^>=/, '')}.0`
}

async function ownPackage() {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return packageSchema.parse(JSON.parse(text))
  }
  throw new Error('this program is not in its package')
}
