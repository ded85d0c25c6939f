import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Delivered, Records } from '../ports.ts'
import type { Purge } from '../purge/state.ts'

/** Whoever was given up for dead, or is slow, may go on with it. */
export function mayBeWithAnother({ deliveries, mayBeForgotten }: Delivered<unknown>): boolean {
  return deliveries > 1 || mayBeForgotten === true
}

/**
 * Who has a file to cut that came again, or a chunk of one that is redacted, may not be alone with it. Whichever of them stores audio, or what was said,
 * after the run has ended, and dies before it sees that, has no message any more by which it would be found. So before anything is done
 * with it, also when that is only to end it, it is promised that the run looks once more what is left of it, when nobody can have it in hand any more.
 */
export async function promiseToLook(
  purges: Pick<Records<Purge>, 'create'>,
  { owner, batchId, fileId, index }: RunRef,
): Promise<void> {
  const run = { owner, batchId, fileId, index }
  // to versions that know nothing of it this is a deletion of no file, which is done
  await purges.create(runKey(run), { owner, fileIds: [], wakes: run, isDone: true })
}
