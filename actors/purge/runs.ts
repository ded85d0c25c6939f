import { findQueued } from '../batch/queued.ts'
import type { QueuedFile, QueuedPorts } from '../batch/queued.ts'
import { durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import { runKey } from '../ids.ts'
import type { FileId, RunRef, Owner } from '../ids.ts'
import type { RunPorts } from '../run/ports.ts'
import type { RunCommand } from '../run/protocol.ts'
import { reportMove } from '../run/report.ts'
import { chunksOf } from '../run/state.ts'
import type { RunProgress, RunState } from '../run/state.ts'

export type PurgeRunsPorts = Pick<RunPorts, 'runs' | 'reports' | 'clock'> & QueuedPorts

type EndedRun = RunRef & Pick<RunState, 'estimatedSeconds'>
type EndingRun = DurableActor<EndedRun, RunState, Extract<RunCommand, { type: 'Purge' }>>

const gone: RunProgress = { phase: 'gone' }

/**
 * Every transcription of a file ends at once, whatever is being done with it: who comes late finds it gone, and removes what
 * it brought (I12). Its objects in storage are the caller's. Resolves with how many jobs there were, files and chunks.
 */
export async function purgeRuns(ports: PurgeRunsPorts, owner: Owner, fileId: FileId): Promise<number> {
  // first where it waits: what has its turn and ends meanwhile is among the runs then
  const queued = await findQueued(ports, owner, fileId)
  const runs = [...(await ports.runs.readUnder(fileId)).values()].filter((run) => run.owner === owner)
  const ending = endingRun(ports, { tellsBatch: true })
  for (const run of runs) await ending.tell(run, [{ type: 'Purge' }])
  const unbegun = withoutRun(queued, runs)
  for (const file of unbegun) await ending.tell(file, [{ type: 'Purge' }])
  for (const file of queued.filter((one) => !unbegun.includes(one)))
    await reportMove(ports, { ...file, progress: gone })
  return jobsIn(runs.map(({ progress }) => progress)) + unbegun.length
}

/** A run as who deletes it needs it: it is told one thing, and who tells it removes and counts its objects. */
export function endingRun(
  ports: Pick<PurgeRunsPorts, 'runs' | 'reports' | 'clock'>,
  { tellsBatch }: { readonly tellsBatch: boolean },
): EndingRun {
  const tell = tellsBatch ? (['TellBatch'] as const) : []
  return durableActor({
    records: ports.runs,
    keyOf: (run: EndedRun) => runKey(run),
    decide(run: RunState | undefined) {
      // its turn may come at this moment: a key that was removed stays taken, so that nobody begins
      if (!run) return { state: undefined, effects: ['Forget' as const, ...tell] }
      const state = run.progress.phase === 'gone' ? run : { ...run, progress: gone }
      return { state, effects: [...tell, 'Forget' as const] }
    },
    perform: (effect: 'TellBatch' | 'Forget', { ref }) =>
      effect === 'Forget' ? ports.runs.remove(runKey(ref)) : reportMove(ports, { ...ref, progress: gone }),
  })
}

function jobsIn(all: readonly RunProgress[]): number {
  return all.reduce((sum, progress) => sum + 1 + (chunksOf(progress)?.total ?? 0), 0)
}

function withoutRun(queued: readonly QueuedFile[], runs: readonly RunRef[]): QueuedFile[] {
  return queued.filter(({ batchId }) => !runs.some((run) => run.batchId === batchId))
}
