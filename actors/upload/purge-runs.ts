import { findQueued } from '../batch/queued.ts'
import type { QueuedPorts } from '../batch/queued.ts'
import { commit } from '../commit.ts'
import { fileKey } from '../ids.ts'
import type { FileId, FileRef, Owner } from '../ids.ts'
import { tellBatch } from '../file/tell.ts'
import type { FilePorts } from '../file/tell.ts'
import { chunksOf } from '../file/state.ts'
import type { FileProgress } from '../file/state.ts'

export type PurgeRunsPorts = Pick<FilePorts, 'runs' | 'reports' | 'clock'> & QueuedPorts

const gone: FileProgress = { phase: 'gone' }

/**
 * Every transcription of a file ends at once, whatever is being done with it: who comes late finds it gone, and removes what
 * it brought (I12). Its objects in storage are the caller's. Resolves with how many jobs there were, files and chunks.
 */
export async function purgeRuns(ports: PurgeRunsPorts, owner: Owner, fileId: FileId): Promise<number> {
  const runs = [...(await ports.runs.readUnder(fileId)).values()].filter((run) => run.owner === owner)
  for (const run of runs) {
    await commit(ports.runs, fileKey(run), (file) => ({
      state: file.progress.phase === 'gone' ? file : { ...file, progress: gone },
      effects: [],
    }))
    await tellBatch(ports, run, gone)
    await ports.runs.remove(fileKey(run))
  }
  const queued = await findQueued(ports, owner, fileId)
  const unbegun = withoutRun(queued, runs)
  // its turn may come at this moment: a key that was removed stays taken, so that nobody begins
  for (const ref of unbegun) await ports.runs.remove(fileKey(ref))
  for (const ref of queued) await tellBatch(ports, ref, gone)
  return jobsIn(runs.map(({ progress }) => progress)) + unbegun.length
}

function jobsIn(all: readonly FileProgress[]): number {
  return all.reduce((sum, progress) => sum + 1 + (chunksOf(progress)?.total ?? 0), 0)
}

function withoutRun(queued: readonly FileRef[], runs: readonly FileRef[]): FileRef[] {
  return queued.filter(({ batchId }) => !runs.some((run) => run.batchId === batchId))
}
