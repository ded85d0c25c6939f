import { outcomeOf } from '../attempt/attempted.ts'
import { excused } from '../attempt/excuse.ts'
import type { ExcusePorts } from '../attempt/excuse.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { add, emptySet } from '../bitset.ts'
import type { ChunkWork } from '../chunk/protocol.ts'
import type { Log } from '../ports.ts'
import { failedStep } from './failed-step.ts'
import type { Assembler } from './ports.ts'
import type { ChunkReport, RunCommand } from './protocol.ts'
import type { Chunks, RunState, TranscribeSettings } from './state.ts'
import { storeTranscript } from './store-transcript.ts'
import type { TranscriptPorts } from './store-transcript.ts'

export interface ShortPorts extends ExcusePorts, TranscriptPorts {
  /** Resolves with what is to be told of the chunk; with nothing when it needs a message of its own. Absent where nothing is transcribed. */
  readonly transcribe?: (
    work: ChunkWork,
    input: { readonly settings: TranscribeSettings; readonly signal: AbortSignal },
  ) => Promise<ChunkReport | undefined>
  readonly assembler: Assembler
  readonly log: Log
}

interface Short {
  readonly ports: ShortPorts
  readonly options: { readonly retry: RetryPolicy }
}

interface Planned {
  readonly file: RunState
  readonly total: number
  readonly seconds: number
  readonly signal: AbortSignal
}

/** Of more than one, others may transcribe the second meanwhile. */
const shortChunks = 1

/**
 * A short file is transcribed and put together by who has cut it, since to enqueue its parts would take longer than to do them. Resolves with
 * what is to be told with its plan; what is not told goes the way of every file. Nobody has a message of this but the plan's: who dies here is
 * followed by one who only plans.
 */
export async function finishShort(input: Short, planned: Planned): Promise<readonly RunCommand[]> {
  const { transcribe } = input.ports
  if (!transcribe || planned.total > shortChunks) return []
  const { file, signal } = planned
  const { owner, batchId, fileId, index, settings } = file
  const reports: ChunkReport[] = []
  for (let chunk = 0; chunk < planned.total; chunk += 1) {
    const work = { owner, batchId, fileId, index, chunk, attempt: 1 }
    const transcribed = await outcomeOf(signal, async () => ({
      kind: 'done',
      value: await transcribe(work, { settings, signal }),
    }))
    if (transcribed.kind !== 'done' || !transcribed.value) return reports
    reports.push(transcribed.value)
  }
  if (!reports.every(({ type }) => type === 'ChunkDone')) return reports
  return [...reports, ...(await putTogether(input, planned))]
}

async function putTogether({ ports, options }: Short, planned: Planned): Promise<readonly RunCommand[]> {
  const { file, signal } = planned
  const attempted = await outcomeOf(signal, async () => {
    const transcript = await ports.assembler.assemble(file, allDone(planned), signal)
    return { kind: 'done', value: await storeTranscript(ports, transcript, { file, signal }) }
  })
  const assembled = await excused(ports, attempted)
  if (assembled.kind === 'left') return []
  if (assembled.kind === 'done') return [assembled.value]
  return [failedStep({ ports, options }, { ...file, step: 'assemble', attempt: 1 }, assembled)]
}

function allDone({ total, seconds }: Planned): Chunks {
  const numbers = Array.from({ length: total }, (_, chunk) => chunk)
  const done = numbers.reduce((set, chunk) => add(set, chunk), emptySet)
  return { total, seconds, issued: total, done, failed: emptySet, active: {}, errors: [] }
}
