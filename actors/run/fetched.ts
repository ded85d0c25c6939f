import type { Attempted } from '../attempt/attempted.ts'
import { retryable } from '../failure.ts'
import { runKey } from '../ids.ts'
import type { Outbox, Slotted } from '../ports.ts'
import type { FetchedSource, Planner, RunWork } from './ports.ts'
import type { RunCommand } from './protocol.ts'
import type { RunState } from './state.ts'

export interface FetchPorts {
  readonly planner: Planner
  readonly fileQueue: Outbox<RunWork>
  /** Each other than all before, of whichever worker. */
  readonly nextMarkId: () => string
}

export interface Fetching {
  readonly file: RunState
  readonly delivered: Slotted<RunWork>
}

/** What is to be told. */
type Fetched = Attempted<readonly RunCommand[]>

const putOffMs = 5_000

/**
 * To wait for somebody else's server is no work of ours: it takes no slot, and is not done alone when it comes again, since it kills
 * nobody. Who has no place for it makes room for others, and comes back.
 */
export async function withFetched(
  ports: FetchPorts,
  { file, delivered }: Fetching,
  use: (fetched: FetchedSource | undefined) => Promise<Fetched>,
): Promise<Fetched> {
  const { signal } = delivered
  if (file.source.type !== 'url') return use(undefined)
  const fetched = await delivered.aside(() => ports.planner.fetch(file, signal))
  if (fetched === 'busy') return putOff(ports, { file, delivered })
  try {
    return await use(fetched)
  } finally {
    await fetched?.drop()
  }
}

/** As new work, which keeps its attempt. What came again stays what came again: whom it killed must be found out (I8). */
export async function putOff(
  { fileQueue, nextMarkId }: Pick<FetchPorts, 'fileQueue' | 'nextMarkId'>,
  { file, delivered }: Fetching,
): Promise<Fetched> {
  const { work, deliveries } = delivered
  if (deliveries > 1) return { kind: 'left', cause: retryable('overloaded', 'Too much is being fetched already.') }
  // by no clock: the next who puts it off may have one that is behind, and the broker would take theirs for this one (I11)
  const id = `put-off:${runKey(work)}:${work.attempt}:${nextMarkId()}`
  await fileQueue.enqueue(work, { id, delayMs: putOffMs, isRetry: false, ahead: file.ahead ?? 0 })
  return { kind: 'done', value: [] }
}
