import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** Stands still and does not know it. SIGSTOP reaches the threads of a process one after another, after `kill` has returned. */
export async function isFrozen(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)]).includes('T')
  const threads = await readdir(`/proc/${pid}/task`)
  const stats = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')))
  return stats.every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') T'))
}
