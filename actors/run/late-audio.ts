import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { Purge } from '../purge/state.ts'

/**
 * Who has a file to cut that came again may not be alone with it: who was given up for dead goes on, or is slow. Whichever of them stores audio
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
