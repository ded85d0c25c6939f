import type { BatchId } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { Notice } from './state.ts'

const conflictsMax = 16

/** Writes what follows from what is there; the loser of a compare-and-set decides again. */
export async function writeNotice(
  notices: Records<Notice>,
  batchId: BatchId,
  next: (notice: Notice | undefined) => Notice,
): Promise<Notice> {
  for (let conflicts = 0; conflicts < conflictsMax; conflicts += 1) {
    const stored = await notices.read(batchId)
    const notice = next(stored?.value)
    if (notice === stored?.value) return notice
    const written = stored
      ? await notices.replace(batchId, notice, stored.revision)
      : await notices.create(batchId, notice)
    if (written !== 'conflict' && written !== 'exists') return notice
  }
  throw new Error('a notice was changed by others again and again')
}
