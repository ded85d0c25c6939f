import { findQueued } from '../batch/queued.ts'
import type { QueuedPorts } from '../batch/queued.ts'
import { acceptedBatch } from '../batch/state.ts'
import type { BatchRecord, Members } from '../batch/state.ts'
import { commit } from '../durable-actor.ts'
import { audioFolder, runKey } from '../ids.ts'
import type { FileId } from '../ids.ts'
import type { Blobs, Records } from '../ports.ts'
import type { Purge } from '../purge/state.ts'
import { removeRunObjects } from '../run/remove-objects.ts'
import type { RunState } from '../run/state.ts'
import type { FileRecords } from '../upload/ports.ts'
import { isVisible } from '../upload/state.ts'
import type { UploadedFile } from '../upload/state.ts'
import type { Expiry } from './state.ts'

export interface ExpirePorts extends QueuedPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly runs: Records<RunState>
  readonly files: FileRecords
  readonly purges: Records<Purge>
  readonly blobs: Blobs
}

/** A batch ends as by its user's wish: it is promised here, and kept by who keeps all such promises. */
export async function expireBatch(ports: ExpirePorts, record: BatchRecord | undefined): Promise<void> {
  const batch = acceptedBatch(record)
  if (batch?.finishedAtMs === undefined) return
  const { owner, batchId } = batch
  const fileIds = await filesOf(ports, batchId)
  await ports.purges.create(batchId, { owner, batchId, fileIds })
}

/** An uploaded recording, and then false when somebody still needs it. What was understood of it stays. */
export async function expireUpload(ports: ExpirePorts, file: UploadedFile | undefined): Promise<boolean> {
  if (!file || !isVisible(file) || (file.status !== 'completed' && file.status !== 'failed')) return true
  const { owner, fileId } = file
  if ((await findQueued(ports, owner, fileId)).length > 0) return false
  await ports.purges.create(fileId, { owner, fileIds: [fileId], audioOnly: true })
  return true
}

/** The sound of its chunks, which SAVE_AUDIO_DATA keeps. */
export async function expireChunkAudio({ blobs }: ExpirePorts, run: RunState | undefined): Promise<void> {
  if (run?.progress.phase === 'finished') await blobs.removeAll(audioFolder(run))
}

/** First its record says so: who looks for the words meanwhile is not told that they were lost. */
export async function expireResults(ports: ExpirePorts, run: RunState | undefined): Promise<void> {
  if (!run) return
  const { state } = await commit(ports.runs, runKey(run), (stored) => ({
    state: stored?.progress.phase === 'finished' ? expired(stored) : stored,
    effects: [],
  }))
  if (state?.progress.phase !== 'finished') return
  await removeRunObjects(ports.blobs, state)
}

function expired(run: RunState): RunState {
  const { progress } = run
  return progress.phase !== 'finished' || progress.isExpired
    ? run
    : { ...run, progress: { ...progress, isExpired: true } }
}

/** What one batch wished for itself. False when something of it has to stay for now. */
export async function expireOwn(ports: ExpirePorts, { batchId, kind }: Expiry): Promise<boolean> {
  if (kind === 'records') {
    await expireBatch(ports, (await ports.batches.read(batchId))?.value)
    return true
  }
  let isDone = true
  for (const fileId of await filesOf(ports, batchId)) {
    const run = (await ports.runs.read(runKey({ fileId, batchId })))?.value
    if (kind === 'results') await expireResults(ports, run)
    else {
      await expireChunkAudio(ports, run)
      if (!(await expireUpload(ports, (await ports.files.read(fileId))?.value))) isDone = false
    }
  }
  return isDone
}

async function filesOf({ members }: ExpirePorts, batchId: Expiry['batchId']): Promise<FileId[]> {
  const pages = await members.readUnder(batchId)
  return [...pages.values()].flatMap(({ files }) => files.flatMap((member) => member?.fileId ?? []))
}
