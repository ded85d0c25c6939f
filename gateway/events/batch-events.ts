import { settledOf, underWayOf } from '../../actors/batch/state.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { members } from '../../actors/bitset.ts'
import type { RunState } from '../../actors/run/state.ts'
import { fileProgressOf } from '../batches/file-status.ts'
import { filesAt } from '../batches/read.ts'
import type { BatchFile } from '../batches/read.ts'
import { statusBodyOf } from '../batches/status.ts'
import type { StatusPorts } from '../batches/status.ts'
import { cursorOf } from './cursor.ts'
import type { StreamedEvent } from './event-stream.ts'

export const endCursor = 'end'

/** What one client was told of a batch so far. */
export interface ToldFiles {
  /** Places of the files whose outcome was told. */
  readonly outcomes: Set<number>
  /** Of files under way, and of the batch: what was said last. */
  readonly files: Map<number, string>
  status: string
}

/**
 * What is new of a batch: its files first, then the batch as a whole. Only the latter has an id, which says what was told until
 * then: a client that is cut off before it is told the files again.
 */
export async function* newsOf(ports: StatusPorts, batch: BatchState, told: ToldFiles): AsyncGenerator<StreamedEvent> {
  const settled = members(settledOf(batch)).filter((index) => !told.outcomes.has(index))
  const gone = new Set(members(batch.gone))
  for await (const file of filesAt(
    ports,
    batch,
    settled.filter((index) => !gone.has(index)),
  )) {
    // the file's own record may have said it before that of the batch
    yield* changeOf(file, told)
    told.files.delete(file.ref.index)
  }
  for (const index of settled) told.outcomes.add(index)
  const runs: RunState[] = []
  for await (const file of filesAt(ports, batch, underWayOf(batch))) {
    yield* changeOf(file, told)
    if (file.run) runs.push(file.run)
  }
  const status = await statusBodyOf(ports, batch, runs)
  const said = JSON.stringify(status)
  if (settled.length > 0 || said !== told.status) yield { event: 'status', data: status, id: cursorOf(told.outcomes) }
  told.status = said
  if (batch.finishedAtMs !== undefined) yield { event: 'end', data: status, id: endCursor }
}

function* changeOf(file: BatchFile, told: ToldFiles): Generator<StreamedEvent> {
  const data = fileProgressOf(file)
  const said = JSON.stringify(data)
  if (told.files.get(file.ref.index) === said) return
  told.files.set(file.ref.index, said)
  yield { event: 'file', data }
}
