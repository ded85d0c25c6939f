import { readFileSync } from 'node:fs'

import { descendantsOf } from '../support/process-tree.ts'

/** The kernel counts in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100

/** What a process and all that it started have used of the processors so far, also those of them that have ended. Linux only. */
export function treeCpuSeconds(pid: number): number {
  return [pid, ...descendantsOf(pid).map((one) => one.pid)].reduce((sum, one) => sum + ownSeconds(one), 0)
}

function ownSeconds(pid: number): number {
  try {
    // its own time, and that of children it has waited for, each in user and kernel
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return 0 // it ended while we looked
  }
}
