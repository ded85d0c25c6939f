import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

const manifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})

/** Of the package that people install: it brings what it depends on along, so it is for machines like this one. */
export async function ownManifest(checkout: string): Promise<string> {
  const { scripts: _s, devDependencies: _d, files: _f, ava: _a, ...kept } = await read(join(checkout, 'package.json'))
  const machine = { os: [process.platform], cpu: [process.arch] }
  return written({ ...kept, ...machine, bundleDependencies: Object.keys(kept.dependencies ?? {}) })
}

/**
 * Of a package whose script would run when it is installed: without that script, which we never let run, and without the packages for other
 * machines, which npm would look for.
 */
export async function installedManifest(checkout: string, folder: string): Promise<string> {
  const { scripts: _s, optionalDependencies = {}, ...kept } = await read(join(checkout, folder, 'package.json'))
  const there = Object.entries(optionalDependencies).filter(([name]) =>
    existsSync(join(checkout, 'node_modules', name)),
  )
  return written({ ...kept, optionalDependencies: Object.fromEntries(there) })
}

async function read(path: string): Promise<z.infer<typeof manifestSchema>> {
  return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')))
}

function written(manifest: unknown): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}
