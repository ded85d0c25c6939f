import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { RunPorts } from './ports.ts'
import { chunksOf, standingOf } from './state.ts'
import type { RunState } from './state.ts'

/** What its batch wants to know of a run. */
type MovedFile = RunRef & Pick<RunState, 'estimatedSeconds' | 'progress'>

/** Tells a batch how far one of its files is. */
export async function reportMove(ports: Pick<RunPorts, 'reports' | 'clock'>, file: MovedFile): Promise<void> {
  const { owner, batchId, index, estimatedSeconds, progress } = file
  const standing = standingOf(progress)
  const chunks = chunksOf(progress)
  await ports.reports.toBatch(
    { owner, batchId },
    {
      type: 'FileMoved',
      index,
      standing,
      chunks: chunks?.total ?? 0,
      seconds: chunks?.seconds ?? 0,
      estimatedSeconds,
      atMs: ports.clock.nowMs(),
    },
    `moved:${runKey(file)}:${standing}:${chunks?.total ?? ''}`,
  )
}
