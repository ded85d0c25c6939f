import { randomUUID } from 'node:crypto'
import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { openProcessMarks } from '../process/process-mark.ts'
import { unlessMissing } from './disk-classify.ts'

/** Another container or machine cannot be asked whether its process lives, so a file it still writes to counts as alive. */
export const abandonedAfterMs = 15 * 60_000

/** Where objects are written before they get their name. Each file is named after the process that writes it. */
export interface Staging {
  nextPath(): string
}

/** By the clock of the disk, which stamps the files in it: ours may be another one, and hours off (I11). */
export async function timeOfDisk(folder: string): Promise<number> {
  const { mode } = await stat(folder)
  await chmod(folder, mode & 0o7777) // as it was; it is stamped all the same
  return (await stat(folder)).ctimeMs
}

/** Clears the folder of what dead processes left in it. */
export async function openStaging(folder: string, nowMs: number): Promise<Staging & { leftovers: number }> {
  const marks = await openProcessMarks()
  const isAlive = async (name: string): Promise<boolean> =>
    marks.isAlive(name) ?? (await isFresh(join(folder, name), nowMs))
  const leftovers: string[] = []
  for (const name of await readdir(folder)) if (!(await isAlive(name))) leftovers.push(name)
  for (const name of leftovers) await rm(join(folder, name), { force: true })
  return { leftovers: leftovers.length, nextPath: () => join(folder, `${marks.mine}.${randomUUID()}`) }
}

/** By ctime, which unlike mtime also moves when a file is linked. */
async function isFresh(path: string, nowMs: number): Promise<boolean> {
  const facts = await unlessMissing(stat(path))
  return facts !== undefined && nowMs - facts.ctimeMs < abandonedAfterMs
}
