import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { z } from 'zod'

const versionSchema = z.object({ name: z.literal('vaak'), version: z.string() })

/** Of this program, as its package says. */
export async function versionOfVaak(): Promise<string> {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return versionSchema.parse(JSON.parse(text)).version
  }
  throw new Error('this program is not in its package')
}
