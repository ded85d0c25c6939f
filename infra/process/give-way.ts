import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * This process, and every thread that it starts from now on, leaves the processor to others that want it at the same time. Where
 * Linux shares it between sessions first (autogroup), our session gives way as well, unless it is not ours alone.
 */
export function giveWay(niceness: number): void {
  if (niceness === 0) return
  setPriority(Math.max(niceness, getPriority()))
  if (!leadsItsSession()) return
  try {
    writeFileSync('/proc/self/autogroup', String(niceness))
  } catch {
    // a kernel without autogroups, or one that forbids: then what was said above is all there is
  }
}

/** What is asked of a thread takes long; what the process itself does besides takes moments, and others wait for it. */
const threadNiceness = 5

/** The same for the thread that says so, and those that it starts: only Linux knows the priority of a thread. */
export function giveWayAsThread(): void {
  if (process.platform === 'linux') setPriority(Math.max(threadNiceness, getPriority()))
}

/** The same for a child that was just started, and what it starts. */
export function letGiveWay(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.max(threadNiceness, getPriority(pid)))
  } catch {
    // it has ended already
  }
}

function leadsItsSession(): boolean {
  try {
    // what follows the name in brackets: state, parent, group, session
    const session = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[3]
    return Number(session) === process.pid
  } catch {
    return false
  }
}
