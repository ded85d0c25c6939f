import { readFileSync } from 'node:fs'

import { descendantsOf } from '../support/process-tree.ts'

/** Resident memory of a process and of all that it started, in MB. Pages that they share count twice. Linux only. */
export function treeMemoryMb(pid: number): number {
  return [pid, ...descendantsOf(pid).map((one) => one.pid)].reduce((sum, one) => sum + residentMb(one), 0)
}

function residentMb(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0 // it ended while we looked
  }
}
