import { getPriority, setPriority } from 'node:os'

import { sayWay } from './session-way.ts'

/**
 * This process, and every thread that it starts from now on, leaves the processor to others that want it at the same time. Where
 * Linux shares it between sessions first (autogroup), our session gives way as well, unless it is not ours alone.
 */
export function giveWay(niceness: number): void {
  if (niceness === 0) return
  setPriority(Math.max(niceness, getPriority()))
  sayWay(niceness)
}

/**
 * What is asked of a thread takes long; what the process itself does besides takes moments, and others wait for it. At 5 the models of a gateway
 * took twice what its requests had, which waited four fifths of the time; workers, for whom nobody waits, are at 10.
 */
const threadNiceness = 9
/** Of what gives way to everything: what takes minutes beside others of its kind that take moments, and what is for who had much lately. */
export const patientNiceness = 19

/** The same for the thread that says so, and those that it starts: only Linux knows the priority of a thread. */
export function giveWayAsThread(niceness = threadNiceness): void {
  if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()))
}

/** What a child is started through that gives way from its first moment; where we are slow ourselves it has children of its own a moment later. */
export function givingWayWords(niceness = threadNiceness): readonly string[] {
  const steps = niceness - getPriority()
  return steps > 0 ? ['nice', '-n', String(steps)] : []
}
