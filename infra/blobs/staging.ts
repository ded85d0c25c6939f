import { createHash, randomUUID } from 'node:crypto'
import { chmod, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { identityOf, thisProcess } from '../process/process-identity.ts'
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
  const realm = await realmOfProcess()
  const isAlive = async (name: string): Promise<boolean> => {
    const [where, pid, start] = name.split('.')
    if (where !== realm) return isFresh(join(folder, name), nowMs)
    const process = identityOf(Number(pid))
    return process !== undefined && shortHash(process.startedAt) === start
  }
  const leftovers: string[] = []
  for (const name of await readdir(folder)) if (!(await isAlive(name))) leftovers.push(name)
  for (const name of leftovers) await rm(join(folder, name), { force: true })
  const { pid, startedAt } = thisProcess()
  const mark = [realm, pid, shortHash(startedAt)].join('.')
  return { leftovers: leftovers.length, nextPath: () => join(folder, `${mark}.${randomUUID()}`) }
}

/** Where process ids mean the same processes as here: this machine since its boot, or one container on it. */
async function realmOfProcess(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID())
  const namespace = await readlink('/proc/self/ns/pid').catch(() => randomUUID())
  return shortHash(`${boot} ${namespace}`)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** By ctime, which unlike mtime also moves when a file is linked. */
async function isFresh(path: string, nowMs: number): Promise<boolean> {
  const facts = await unlessMissing(stat(path))
  return facts !== undefined && nowMs - facts.ctimeMs < abandonedAfterMs
}
