import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { codeOf } from '../../process/error-code.ts'
import type { CheckFiles } from './digest.ts'
import { explain, noCache } from './explain.ts'
import type { Model } from './model.ts'

/** Models that were fetched. Each appears whole, by one rename, whoever else fetches it at the same time. */
interface ModelCache {
  folderOf(model: Model): string
  /** `bring` puts the files into a folder that nobody looks at; they are checked there. */
  install(model: Model, bring: (folder: string) => Promise<void>): Promise<void>
  /** True when there was one. */
  remove(model: Model): Promise<boolean>
}

interface CacheParts {
  readonly cacheDir: string
  readonly check: CheckFiles
}

/** Unpacking takes seconds, so this is far from any that still runs. */
const abandonedMs = 60 * 60 * 1000

export function modelCache({ cacheDir, check }: CacheParts): ModelCache {
  const ready = join(cacheDir, 'ready')
  const halfway = join(cacheDir, 'incoming')
  const folderOf = (model: Model): string => join(ready, model.folder)

  /** Whoever comes second finds a whole one and leaves it alone. */
  async function putInPlace(incoming: string, model: Model): Promise<void> {
    const target = folderOf(model)
    await mkdir(ready, { recursive: true })
    if (await renamed(incoming, target)) return
    if (!(await check(model, target))) return
    const damaged = `${incoming}-damaged`
    await renamed(target, damaged)
    await renamed(incoming, target)
    await rm(damaged, { recursive: true, force: true })
  }

  return {
    folderOf,
    async install(model, bring) {
      const incoming = join(halfway, `${model.folder}-${randomUUID()}`)
      await mkdir(halfway, { recursive: true }).catch((error: unknown) => {
        throw noCache(model, cacheDir, error)
      })
      await sweep(halfway)
      try {
        await bring(incoming)
        const defect = await check(model, incoming)
        if (defect) throw explain(model, { place: incoming, defect, isModelDir: false })
        await putInPlace(incoming, model)
      } finally {
        await rm(incoming, { recursive: true, force: true })
      }
    },
    async remove(model) {
      const discarded = join(halfway, `removed-${randomUUID()}`)
      await mkdir(halfway, { recursive: true })
      const was = await renamed(folderOf(model), discarded)
      await rm(discarded, { recursive: true, force: true })
      return was
    },
  }
}

/** What a killed process left half unpacked. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const facts = await stat(join(folder, name)).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > abandonedMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** False when there is nothing to rename, or something else already has the name. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}
