import { promiseToLook } from '../attempt/late-parts.ts'
import { aheadOfRetries } from '../attempt/retry.ts'
import { size } from '../bitset.ts'
import { unreachable } from '../decision.ts'
import { durableActor } from '../durable-actor.ts'
import type { Committed, DurableActor, Told } from '../durable-actor.ts'
import { awayCodeOf, FailureError } from '../failure.ts'
import { audioFolder, chunkResultKey, chunkResultsFolder, runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import { createLastSeen } from '../last-seen.ts'
import { decide } from './decide.ts'
import { fanOutError } from './fan-out.ts'
import type { RunOptions, RunPorts } from './ports.ts'
import type { RunCommand, FileEffect, QueuedChunk } from './protocol.ts'
import { removeRunObjects } from './remove-objects.ts'
import { reportMove } from './report.ts'
import { cancelledAtMsOf, chunksOf } from './state.ts'
import type { RunState } from './state.ts'

export type RunActor = DurableActor<RunRef, RunState, RunCommand>

interface Running {
  readonly ports: RunPorts
  readonly options: RunOptions
  readonly self: RunActor
}

type At = Committed<RunRef, RunState>

const missedAgainMs = 1_000

/** A file in a batch, from its turn to its outcome. */
export function runActor({ ports, options }: Omit<Running, 'self'>): RunActor {
  const self: RunActor = durableActor({
    records: ports.runs,
    lastSeen: ports.seenRuns ?? createLastSeen<RunState>(),
    keyOf: (ref: RunRef) => runKey(ref),
    decide: (run: RunState | undefined, commands: readonly RunCommand[]) =>
      run ? decide(run, commands, options) : { state: undefined, effects: owedByNone },
    perform: (effect, at) => perform({ ports, options, self }, effect, at),
    despair: (error, told) => despair(error, told, ports.clock.nowMs()),
    passed: (place, commands) => passed(ports, place, commands),
  })
  return self
}

/** It was deleted, and what comes late must leave nothing behind (I12). */
const owedByNone: readonly FileEffect[] = [{ type: 'RemoveEverything' }, { type: 'TellBatch' }]

function passed({ faults }: RunPorts, place: 'commit' | 'effects', commands: readonly RunCommand[]): Promise<void> {
  if (place === 'effects') return faults.point('settle.after-effects')
  return isPlan(commands) ? faults.point('plan.after-commit') : faults.point('settle.after-commit')
}

function isPlan(commands: readonly RunCommand[]): boolean {
  return commands.some(({ type }) => type === 'Planned')
}

/** When its first chunks cannot all be enqueued it is over, unless that is because nothing can be written just now. */
function despair(
  error: unknown,
  { commands, effects }: Told<RunCommand, FileEffect>,
  atMs: number,
): readonly RunCommand[] | undefined {
  // when another has planned it meanwhile, we looked after the work of others: nothing of ours failed
  const isOurs = isPlan(commands) && effects.some(({ type }) => type === 'EnqueueChunks')
  // what is away comes back: then the work comes again and goes on where it was
  if (!isOurs || !(error instanceof FailureError) || awayCodeOf(error) !== undefined) return undefined
  return [{ type: 'FanOutFailed', error: fanOutError(error, atMs) }]
}

async function perform(input: Running, effect: FileEffect, at: At): Promise<void> {
  const { ports } = input
  const { ref, revision } = at
  switch (effect.type) {
    case 'EnqueueStep':
      return enqueueStep(ports, at, { ...effect, id: String(revision) })
    case 'EnqueueChunks':
      return enqueueChunks(ports, at, effect.chunks)
    case 'FindLostStep':
      return findLostStep(input, at, effect)
    case 'FindLostChunks':
      return findLostChunks(input, at, effect.chunks)
    case 'BeginInquiries':
      return at.state && ports.beginInquiries(at.state)
    case 'TellBatch':
      return reportMove(ports, at.state ?? { ...ref, estimatedSeconds: 0, progress: { phase: 'gone' } })
    case 'LookOnceMore':
      return isTidied(input, at) ? promiseToLook(ports.purges, ref) : undefined
    case 'RemoveParts':
      if (!input.options.saveAudio || at.state?.settings.redactAudio) await ports.blobs.removeAll(audioFolder(ref))
      // they say what was taken out of the transcript; whoever tries the file again cuts it anew
      if (at.state?.settings.redact) await ports.blobs.removeAll(chunkResultsFolder(ref))
      return undefined
    case 'RemoveEverything':
      await removeRunObjects(ports.blobs, ref)
      return undefined
    case 'Forget':
      return ports.runs.remove(runKey(ref))
    default:
      return unreachable(effect)
  }
}

/** Whether parts of it go when it ends. */
function isTidied({ options }: Running, { state }: At): boolean {
  return !options.saveAudio || state?.settings.redact !== undefined
}

type Stepping = Pick<Extract<FileEffect, { type: 'EnqueueStep' | 'FindLostStep' }>, 'step' | 'attempt' | 'delayMs'>

/** The revision makes the id one of this commit: the same step is enqueued again after it was lost, and not twice by one commit. */
async function enqueueStep(
  ports: RunPorts,
  { ref, state }: At,
  { step, attempt, delayMs, id }: Stepping & { id: string },
): Promise<void> {
  const isRetry = attempt > 1
  const isCancelled = state !== undefined && cancelledAtMsOf(state.progress) !== undefined
  await ports.fileQueue.enqueue(
    { ...refOf(ref), step, attempt, ...(isCancelled && { isCancelled }) },
    {
      id: `${step}:${runKey(ref)}:${attempt}:${id}`,
      delayMs,
      isRetry,
      // what is cancelled takes no time
      ahead: isRetry ? aheadOfRetries : isCancelled ? 0 : (state?.ahead ?? 0),
    },
  )
}

async function findLostStep(input: Running, at: At, wanted: Stepping): Promise<void> {
  const { ports } = input
  const { ref, revision } = at
  const found = await ports.fileQueue.outstanding(ref)
  const isThere = found.some(({ step, attempt }) => step === wanted.step && attempt === wanted.attempt)
  if (isThere) return
  // who had the one that vanished may have it still
  if (wanted.step === 'plan' && isTidied(input, at)) await promiseToLook(ports.purges, ref)
  // the broker still knows the id of the one that vanished; two who miss it at the same time are one
  const again = Math.floor(ports.clock.nowMs() / missedAgainMs)
  await enqueueStep(ports, at, { ...wanted, id: `${revision}:${again}` })
}

async function enqueueChunks(
  ports: RunPorts,
  { ref, state, revision }: At,
  chunks: readonly QueuedChunk[],
): Promise<void> {
  for (const { chunk, attempt } of chunks) {
    const isRetry = attempt > 1
    const ahead = isRetry ? aheadOfRetries : aheadOf(state, chunk)
    await ports.chunkQueue.enqueue(
      { ...refOf(ref), chunk, attempt },
      { id: `chunk:${runKey(ref)}:${chunk}:${attempt}:${revision}`, delayMs: 0, isRetry, ahead },
    )
    await ports.faults.point('issue.after-chunk')
  }
}

/** Its user's work before the file, and chunks of the file that are under way before it: they settle in about the order in which they came. */
function aheadOf(state: RunState | undefined, chunk: number): number {
  const chunks = state && chunksOf(state.progress)
  return (state?.ahead ?? 0) + (chunks ? Math.max(0, chunk - size(chunks.done) - size(chunks.failed)) : 0)
}

/** One whose result is stored is not lost: its report is still on the way, or was. */
async function findLostChunks({ ports, self }: Running, at: At, expected: readonly QueuedChunk[]): Promise<void> {
  const { ref, state } = at
  const there = new Set((await ports.chunkQueue.outstanding(ref)).map(({ chunk }) => chunk))
  const absent = expected.filter(({ chunk }) => !there.has(chunk)).map(({ chunk }) => chunk)
  const stored = new Set<number>()
  for (const chunk of absent) if (await ports.blobs.stat(chunkResultKey(ref, chunk))) stored.add(chunk)
  const atMs = ports.clock.nowMs()
  const lost = absent.filter((chunk) => !stored.has(chunk))
  if (lost.length > 0 && state?.settings.redact) await promiseToLook(ports.purges, ref)
  const commands: RunCommand[] = [
    ...[...stored].map((chunk) => ({ type: 'ChunkDone', chunk, atMs }) as const),
    ...(lost.length > 0 ? [{ type: 'ChunksLost', chunks: lost, atMs } as const] : []),
  ]
  if (commands.length > 0) await self.tell(ref, commands)
}

function refOf({ owner, batchId, fileId, index }: RunRef): RunRef {
  return { owner, batchId, fileId, index }
}
