import { unreachable } from '../decision.ts'
import type { Decision } from '../decision.ts'
import type { FileId, Owner, UploadId } from '../ids.ts'
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

/** What waits for its turn, how much runs for whom, and which files of each upload have not settled. */
export interface UploadQueue {
  readonly waiting: readonly Owed[]
  readonly running: ReadonlyMap<Owner, number>
  /** Whose turn was when, while anybody waits. */
  readonly turns: ReadonlyMap<Owner, number>
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

export const emptyQueue: UploadQueue = { waiting: [], running: new Map(), turns: new Map(), unsettled: new Map() }

export function decideQueue(
  queue: UploadQueue,
  command: QueueCommand,
  concurrency: number,
): Decision<UploadQueue, QueueEffect> {
  const { state, effects } = apply(queue, command)
  const chosen: Owed[] = []
  let { waiting, running, turns } = state
  for (let free = concurrency - runningIn(running); free > 0; free -= 1) {
    const next = nextOf(waiting, { running, turns, concurrency })
    if (!next) break
    chosen.push(next)
    waiting = waiting.filter((owed) => owed !== next)
    running = counted(running, next, 1)
    turns = new Map(turns).set(ownerOf(next), Math.max(0, ...turns.values()) + 1)
  }
  return {
    state: { ...state, waiting, running, turns: waiting.length === 0 ? emptyQueue.turns : turns },
    effects: [...effects, ...chosen.map((owed) => ({ type: 'Run', owed }) as const)],
  }
}

/**
 * Of whom least runs is next, and of those who are alike whose turn was longest ago: thousands of files of one user are not
 * before the one of another. The last place is for others than who has all the rest, since a large file may be long on its way.
 */
function nextOf(
  waiting: readonly Owed[],
  { running, turns, concurrency }: Pick<UploadQueue, 'running' | 'turns'> & { readonly concurrency: number },
): Owed | undefined {
  const runningMost = Math.max(1, concurrency - 1)
  let next: { readonly owed: Owed; readonly count: number; readonly turn: number } | undefined
  const seen = new Set<Owner>()
  for (const owed of waiting) {
    const owner = ownerOf(owed)
    if (seen.has(owner)) continue
    seen.add(owner)
    const [count, turn] = [running.get(owner) ?? 0, turns.get(owner) ?? 0]
    const isBefore = !next || count < next.count || (count === next.count && turn < next.turn)
    if (count < runningMost && isBefore) next = { owed, count, turn }
  }
  return next?.owed
}

function ownerOf({ upload }: Owed): Owner {
  return upload.manifest.owner
}

function runningIn(running: UploadQueue['running']): number {
  return [...running.values()].reduce((sum, count) => sum + count, 0)
}

function counted(running: UploadQueue['running'], owed: Owed, change: 1 | -1): UploadQueue['running'] {
  const owner = ownerOf(owed)
  const count = (running.get(owner) ?? 0) + change
  const others = new Map(running)
  if (count === 0) others.delete(owner)
  else others.set(owner, count)
  return others
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
      return settle({ ...queue, running: counted(queue.running, command.owed, -1) }, command.owed)
    case 'Failed':
      return {
        state: { ...queue, running: counted(queue.running, command.owed, -1) },
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
