import { randomUUID } from 'node:crypto'

import type { Holder } from '../../actors/upload/leases.ts'
import { openProcessMarks } from '../process/process-mark.ts'

/** This process, as somebody who works on a spool. */
export async function spoolHolder(): Promise<Holder> {
  const marks = await openProcessMarks()
  // one process may have several, in tests
  return { name: `${marks.mine}.${randomUUID()}`, isGone: (name: string) => marks.isAlive(name) === false }
}
