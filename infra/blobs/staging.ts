import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { unlessMissing } from './disk-classify.ts'

/** Another container or machine cannot be asked whether its process lives, so a file it still writes to counts as alive. */
export const abandonedAfterMs = 15 * 60_000

/** Where objects are written before they get their name. Each file is named after the process that writes it. */
export interface Staging {
  nextPath(): string
}

/** Clears the folder of what dead processes left in it. */
export async function openStaging(folder: string, nowMs: number): Promise<Staging & { leftovers: number }> {
  const self = await identify()
  const isAlive = async (name: string): Promise<boolean> => {
    const [realm, pid = '', startTicks] = name.split('.')
    if (realm !== self.realm) return isFresh(join(folder, name), nowMs)
    return startTicks !== undefined && (await startTicksOf(pid)) === startTicks
  }
  const leftovers: string[] = []
  for (const name of await readdir(folder)) if (!(await isAlive(name))) leftovers.push(name)
  for (const name of leftovers) await rm(join(folder, name), { force: true })
  return { leftovers: leftovers.length, nextPath: () => join(folder, [...Object.values(self), randomUUID()].join('.')) }
}

/** A process id alone is reused, always so in a container; with its start time and namespace it is not. */
interface ProcessMark {
  readonly realm: string
  readonly pid: string
  readonly startTicks: string
}

async function identify(): Promise<ProcessMark> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID())
  const namespace = await readlink('/proc/self/ns/pid').catch(() => randomUUID())
  const realm = createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 16)
  const pid = String(process.pid)
  return { realm, pid, startTicks: (await startTicksOf(pid)) ?? '0' }
}

/** Field 22 of proc(5) stat; counted from the last parenthesis, as the name before it may hold anything. */
async function startTicksOf(pid: string): Promise<string | undefined> {
  if (!/^\d{1,10}$/.test(pid)) return undefined
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

/** By ctime, which unlike mtime also moves when a file is linked. */
async function isFresh(path: string, nowMs: number): Promise<boolean> {
  const facts = await unlessMissing(stat(path))
  return facts !== undefined && nowMs - facts.ctimeMs < abandonedAfterMs
}
