import { commit } from '../commit.ts'
import type { Committed } from '../commit.ts'
import { unreachable } from '../decision.ts'
import { audioFolder, chunkResultKey, fileKey, runFolder } from '../ids.ts'
import type { FileRef } from '../ids.ts'
import type { Blobs, Clock, Faults, FileWork, Records, Reports, WorkQueue } from '../ports.ts'
import type { ChunkWork } from '../chunk/protocol.ts'
import { decide } from './decide.ts'
import type { FileLimits } from './decide.ts'
import type { FileCommand, FileEffect, QueuedChunk } from './protocol.ts'
import { chunksOf, standingOf } from './state.ts'
import type { FileProgress, FileState } from './state.ts'

export interface FilePorts {
  readonly runs: Records<FileState>
  readonly fileQueue: WorkQueue<FileWork>
  readonly chunkQueue: WorkQueue<ChunkWork>
  readonly reports: Reports
  readonly blobs: Blobs
  readonly clock: Clock
  readonly faults: Faults
}

export interface FileOptions extends FileLimits {
  /** Otherwise the sound of chunks goes as soon as nobody needs it. */
  readonly saveAudio: boolean
}

const missedAgainMs = 1_000

export interface TellingFile {
  readonly ports: FilePorts
  readonly options: FileOptions
}

/** Commit, then do what the committed state owes; who told us is acknowledged after that. */
export async function tellFile(
  of: TellingFile,
  ref: FileRef,
  commands: readonly FileCommand[],
): Promise<FileState | undefined> {
  const committed = await commitFile(of, ref, commands)
  await of.ports.faults.point('settle.after-commit')
  await performAll(of, ref, committed)
  await of.ports.faults.point('settle.after-effects')
  return committed.file
}

export interface CommittedRun extends Omit<Committed<FileState, FileEffect>, 'state'> {
  /** Nothing when it was deleted. */
  readonly file: FileState | undefined
}

export async function commitFile(
  of: TellingFile,
  ref: FileRef,
  commands: readonly FileCommand[],
): Promise<CommittedRun> {
  const { ports, options } = of
  const committed = await commit(ports.runs, fileKey(ref), (file) => decide(file, commands, options))
  // deleted, and what comes late must leave nothing behind (I12)
  if (!committed)
    return { file: undefined, effects: [{ type: 'RemoveEverything' }, { type: 'TellBatch' }], revision: 0 }
  return { file: committed.state, effects: committed.effects, revision: committed.revision }
}

export async function performAll(of: TellingFile, ref: FileRef, committed: CommittedRun): Promise<void> {
  for (const effect of committed.effects) await perform(of, ref, { ...committed, effect })
}

interface Owed extends CommittedRun {
  readonly effect: FileEffect
}

async function perform(of: TellingFile, ref: FileRef, { effect, file, revision }: Owed): Promise<void> {
  const { ports } = of
  switch (effect.type) {
    case 'EnqueueStep':
      return enqueueStep(ports, ref, { ...effect, revision })
    case 'EnqueueChunks':
      return enqueueChunks(ports, ref, { chunks: effect.chunks, revision })
    case 'FindLostStep': {
      const found = await ports.fileQueue.outstanding(ref)
      const isThere = found.some(({ step, attempt }) => step === effect.step && attempt === effect.attempt)
      if (isThere) return undefined
      // the broker still knows the id of the one that vanished; two who miss it at the same time are one
      const again = Math.floor(ports.clock.nowMs() / missedAgainMs)
      return enqueueStep(ports, ref, { ...effect, revision: `${revision}:${again}` })
    }
    case 'FindLostChunks':
      return findLostChunks(of, ref, effect.chunks)
    case 'TellBatch':
      return tellBatch(ports, ref, file?.progress ?? { phase: 'gone' })
    case 'RemoveAudio':
      if (!of.options.saveAudio) await ports.blobs.removeAll(audioFolder(ref))
      return undefined
    case 'RemoveEverything':
      await ports.blobs.removeAll(runFolder(ref))
      return undefined
    case 'Forget':
      return ports.runs.remove(fileKey(ref))
    default:
      return unreachable(effect)
  }
}

/** The revision makes the id one of this commit: the same step is enqueued again after it was lost, and not twice by one commit. */
async function enqueueStep(
  ports: FilePorts,
  ref: FileRef,
  of: { step: FileWork['step']; attempt: number; delayMs: number; revision: number | string },
): Promise<void> {
  const { step, attempt, delayMs, revision } = of
  await ports.fileQueue.enqueue(
    { ...refOf(ref), step, attempt },
    { id: `${step}:${fileKey(ref)}:${attempt}:${revision}`, delayMs, isRetry: attempt > 1 },
  )
}

async function enqueueChunks(
  ports: FilePorts,
  ref: FileRef,
  of: { chunks: readonly QueuedChunk[]; revision: number },
): Promise<void> {
  for (const { chunk, attempt } of of.chunks) {
    await ports.chunkQueue.enqueue(
      { ...refOf(ref), chunk, attempt },
      { id: `chunk:${fileKey(ref)}:${chunk}:${attempt}:${of.revision}`, delayMs: 0, isRetry: attempt > 1 },
    )
    await ports.faults.point('issue.after-chunk')
  }
}

/** One whose result is stored is not lost: its report is still on the way, or was. */
async function findLostChunks(of: TellingFile, ref: FileRef, expected: readonly QueuedChunk[]): Promise<void> {
  const { ports } = of
  const there = new Set((await ports.chunkQueue.outstanding(ref)).map(({ chunk }) => chunk))
  const absent = expected.filter(({ chunk }) => !there.has(chunk)).map(({ chunk }) => chunk)
  const heard = new Set<number>()
  for (const chunk of absent) if (await ports.blobs.stat(chunkResultKey(ref, chunk))) heard.add(chunk)
  const atMs = ports.clock.nowMs()
  const lost = absent.filter((chunk) => !heard.has(chunk))
  const commands: FileCommand[] = [
    ...[...heard].map((chunk) => ({ type: 'ChunkDone', chunk, atMs }) as const),
    ...(lost.length > 0 ? [{ type: 'ChunksLost', chunks: lost, atMs } as const] : []),
  ]
  if (commands.length > 0) await tellFile(of, ref, commands)
}

export async function tellBatch(
  ports: Pick<FilePorts, 'reports' | 'clock'>,
  ref: FileRef,
  progress: FileProgress,
): Promise<void> {
  const { owner, batchId, index } = ref
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
      atMs: ports.clock.nowMs(),
    },
    `moved:${fileKey(ref)}:${standing}:${chunks?.total ?? ''}`,
  )
}

export function refOf({ owner, batchId, fileId, index }: FileRef): FileRef {
  return { owner, batchId, fileId, index }
}
