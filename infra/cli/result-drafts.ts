import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { unlessMissing } from '../blobs/disk-classify.ts'
import { sightOf } from './file-sight.ts'
import type { Sight } from './file-sight.ts'

/** A recording as it was when it was transcribed, and what the name of its result ends in. */
interface ResultOf {
  readonly path: string
  readonly sight: Sight
  readonly ending: string
}

/**
 * Results on their way to their places. A draft is written whole under the name of its recording's state and then moved, so that a result
 * which cannot be moved yet is neither lost nor made again, also by who comes later.
 */
export interface ResultDrafts {
  has(result: ResultOf): Promise<boolean>
  write(result: ResultOf, text: string, nowMs: number): Promise<void>
  /** Beside its recording: appears whole. */
  place(result: ResultOf): Promise<void>
  /** Removes drafts of recordings that are gone or have changed. No sight: not known now. */
  keepOnly(recordings: ReadonlyMap<string, Sight | undefined>): Promise<void>
}

/** Times of files are finer than a number of seconds can be. */
const roundingMs = 1
const wholeName = /^(?<recording>[0-9a-f]{64})\.(?<state>\d+-[\d.]+)\./
const halfEnding = 'half'

/** In the folder itself: moving is only whole within one disk. One process at a time; what another left half written is removed. */
export async function openResultDrafts(folder: string, own: string): Promise<ResultDrafts> {
  const drafts = join(own, 'drafts')
  // what is removed in there is not to be somebody else's
  if ((await unlessMissing(lstat(drafts)))?.isSymbolicLink()) await rm(drafts)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  for (const name of await readdir(drafts))
    if (!wholeName.test(name)) await rm(join(drafts, name), { recursive: true, force: true })
  const hashOf = (path: string): string => createHash('sha256').update(relative(folder, path)).digest('hex')
  const draftOf = ({ path, sight, ending }: ResultOf): string =>
    join(drafts, `${hashOf(path)}.${stateOf(sight)}.${ending}`)
  return {
    has: async (result) => (await sightOf(draftOf(result))) !== undefined,
    async write(result, text, nowMs) {
      const half = join(drafts, `${randomUUID()}.${halfEnding}`)
      try {
        // somebody may have removed it
        await mkdir(drafts, { recursive: true, mode: 0o700 })
        await writeFile(half, text, { flush: true })
        // never older than its recording, whatever clock that one is from
        const seconds = (Math.max(nowMs, result.sight.changedMs) + roundingMs) / 1000
        await utimes(half, seconds, seconds)
        await rename(half, draftOf(result))
      } catch (error) {
        // it is tried again and again, and each time would leave one
        await rm(half, { force: true }).catch(() => undefined)
        throw error
      }
    },
    place: (result) => rename(draftOf(result), `${result.path}.${result.ending}`),
    async keepOnly(recordings) {
      const names = (await unlessMissing(readdir(drafts))) ?? []
      if (names.length === 0) return
      const sights = new Map([...recordings].map(([path, sight]) => [hashOf(path), sight]))
      for (const name of names) {
        const { recording = '', state } = wholeName.exec(name)?.groups ?? {}
        const sight = sights.get(recording)
        const isStale = !sights.has(recording) || (sight !== undefined && stateOf(sight) !== state)
        if (isStale && state !== undefined) await rm(join(drafts, name), { force: true })
      }
    },
  }
}

function stateOf({ sizeBytes, changedMs }: Sight): string {
  return `${sizeBytes}-${changedMs}`
}
