import { unreachable } from '../decision.ts'
import type { Decision } from '../decision.ts'
import type { FileId, UploadId } from '../ids.ts'
import type { SpooledUpload } from './ports.ts'
import type { FileFacts } from './state.ts'

/** One step that an upload still owes: a file to move or, without `facts`, the whole upload to take back. */
export interface Owed {
  readonly upload: SpooledUpload
  readonly facts?: FileFacts
  readonly attempt: number
  /** Since when it is tried in this process, by the clock that only goes forward (I11). */
  readonly triedSinceMs?: number
}

/** What waits for its turn, how much runs, and which files of each upload have not settled. */
export interface UploadQueue {
  readonly waiting: readonly Owed[]
  readonly running: number
  readonly unsettled: ReadonlyMap<UploadId, ReadonlySet<FileId>>
}

/** These stay inside the process: what survives it is in the spool and in the records. */
export type QueueCommand =
  /** `files`: those that are not where they are to be; without it all of them. */
  | { readonly type: 'TakeUp'; readonly upload: SpooledUpload; readonly files?: readonly FileFacts[] }
  | { readonly type: 'Try'; readonly owed: Owed }
  | { readonly type: 'Done'; readonly owed: Owed }
  | { readonly type: 'Failed'; readonly owed: Owed; readonly error: unknown }

export type QueueEffect =
  | { readonly type: 'Run'; readonly owed: Owed }
  | { readonly type: 'RetryLater'; readonly owed: Owed; readonly error: unknown }
  | { readonly type: 'Finish'; readonly upload: SpooledUpload }

export const emptyQueue: UploadQueue = { waiting: [], running: 0, unsettled: new Map() }

export function decideQueue(
  queue: UploadQueue,
  command: QueueCommand,
  concurrency: number,
): Decision<UploadQueue, QueueEffect> {
  const { state, effects } = apply(queue, command)
  const chosen = state.waiting.slice(0, Math.max(0, concurrency - state.running))
  return {
    state: { ...state, waiting: state.waiting.slice(chosen.length), running: state.running + chosen.length },
    effects: [...effects, ...chosen.map((owed) => ({ type: 'Run', owed }) as const)],
  }
}

export function unsettledFiles(queue: UploadQueue): number {
  return [...queue.unsettled.values()].reduce((sum, files) => sum + files.size, 0)
}

function apply(queue: UploadQueue, command: QueueCommand): Decision<UploadQueue, QueueEffect> {
  switch (command.type) {
    case 'TakeUp':
      return takeUp(queue, command.upload, command.files)
    case 'Try':
      return { state: { ...queue, waiting: [...queue.waiting, command.owed] }, effects: [] }
    case 'Done':
      return settle({ ...queue, running: queue.running - 1 }, command.owed)
    case 'Failed':
      return {
        state: { ...queue, running: queue.running - 1 },
        effects: [{ type: 'RetryLater', owed: command.owed, error: command.error }],
      }
    default:
      return unreachable(command)
  }
}

function takeUp(
  queue: UploadQueue,
  upload: SpooledUpload,
  files = upload.manifest.files,
): Decision<UploadQueue, QueueEffect> {
  const { uploadId } = upload.manifest
  if (upload.phase === 'abandoned')
    return { state: { ...queue, waiting: [...queue.waiting, { upload, attempt: 1 }] }, effects: [] }
  if (files.length === 0) return { state: queue, effects: [{ type: 'Finish', upload }] }
  return {
    state: {
      ...queue,
      waiting: [...queue.waiting, ...files.map((facts) => ({ upload, facts, attempt: 1 }))],
      unsettled: new Map(queue.unsettled).set(uploadId, new Set(files.map(({ fileId }) => fileId))),
    },
    effects: [],
  }
}

function settle(queue: UploadQueue, owed: Owed): Decision<UploadQueue, QueueEffect> {
  const { upload, facts } = owed
  const { uploadId } = upload.manifest
  if (!facts) return { state: queue, effects: [] }
  const left = new Set(queue.unsettled.get(uploadId))
  left.delete(facts.fileId)
  const unsettled = new Map(queue.unsettled)
  if (left.size > 0) {
    unsettled.set(uploadId, left)
    return { state: { ...queue, unsettled }, effects: [] }
  }
  unsettled.delete(uploadId)
  return { state: { ...queue, unsettled }, effects: [{ type: 'Finish', upload }] }
}
