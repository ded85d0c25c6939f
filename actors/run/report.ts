import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { RunPorts } from './ports.ts'
import { chunksOf, standingOf } from './state.ts'
import type { RunState } from './state.ts'

/** What its batch wants to know of a run. */
type MovedFile = RunRef & Pick<RunState, 'estimatedSeconds' | 'progress' | 'isOnly'>

/** Tells a batch how far one of its files is. */
export async function reportMove(ports: Pick<RunPorts, 'reports' | 'clock' | 'batch'>, file: MovedFile): Promise<void> {
  const { owner, batchId, index, estimatedSeconds, progress } = file
  const standing = standingOf(progress)
  const chunks = chunksOf(progress)
  const move = {
    type: 'FileMoved',
    index,
    standing,
    chunks: chunks?.total ?? 0,
    seconds: chunks?.seconds ?? 0,
    estimatedSeconds,
    atMs: ports.clock.nowMs(),
  } as const
  // nobody else tells that batch anything: it need not be gathered with what others say
  if (file.isOnly && ports.batch) await ports.batch.tell({ owner, batchId }, [move])
  else await ports.reports.toBatch({ owner, batchId }, move, `moved:${runKey(file)}:${standing}:${chunks?.total ?? ''}`)
}
