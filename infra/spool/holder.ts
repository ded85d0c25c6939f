import { randomUUID } from 'node:crypto'

import { openProcessMarks } from '../process/process-mark.ts'

interface SpoolHolder {
  readonly name: string
  /** True when it is certain, here, that the process of that name has ended. */
  isGone(name: string): boolean
}

/** This process, as somebody who works on a spool. */
export async function spoolHolder(): Promise<SpoolHolder> {
  const marks = await openProcessMarks()
  // one process may have several, in tests
  return { name: `${marks.mine}.${randomUUID()}`, isGone: (name: string) => marks.isAlive(name) === false }
}
