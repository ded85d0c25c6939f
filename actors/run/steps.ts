import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { onTrial } from '../attempt/trial.ts'
import type { Suspicion, TrialPorts } from '../attempt/trial.ts'
import { stepErrorOf, whyItFailed } from '../attempt/why-it-failed.ts'
import { isRetryable } from '../failure.ts'
import { transcriptKey, trialFolder } from '../ids.ts'
import type { Delivered, Faults, Log } from '../ports.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import type { RunActor } from './actor.ts'
import type { Assembler, RunWork, Planner } from './ports.ts'
import { chunksOf } from './state.ts'
import type { RunProgress, RunState } from './state.ts'

export interface StepPorts extends TrialPorts {
  readonly run: Pick<RunActor, 'tell'>
  readonly planner: Planner
  readonly assembler: Assembler
  readonly faults: Faults
  readonly log: Log
  /** False when the user deleted the uploaded file meanwhile. */
  isWanted(file: RunState): Promise<boolean>
}

interface StepOptions {
  readonly retry: RetryPolicy
  /** How many workers may die with it. */
  readonly deathsMax: number
}

interface Stepping {
  readonly ports: StepPorts
  readonly options: StepOptions
}

/** One delivery of a run's step. Whatever comes of it is told to the run. Resolves when it may be acknowledged, whatever became of the step. */
export async function runStep(input: Stepping, delivered: Delivered<RunWork>): Promise<void> {
  const { ports, options } = input
  const { work } = delivered
  const { step, attempt } = work
  const file = await ports.run.tell(work, [{ type: 'Begin', step, attempt, atMs: ports.clock.nowMs() }])
  await ports.faults.point('step.after-begin')
  if (!file || !isHandled(file.progress, work)) return
  if (!(await ports.isWanted(file))) {
    await ports.run.tell(work, [{ type: 'Purge' }])
    return
  }
  try {
    await (step === 'plan' ? plan(input, file, delivered) : assemble(input, file, delivered))
  } catch (error) {
    const failure = whyItFailed(error, delivered.signal)
    if (!failure) throw error
    if (isRetryable(error)) ports.log.warn('step failed', { ...idsOf(work), step, attempt, error })
    else ports.log.info('step failed for good', { ...idsOf(work), step, attempt, code: failure.code })
    if (failure.code === 'worker_failed') ports.log.error('step crashed', { ...idsOf(work), step, error })
    const next = nextAttempt(options.retry, attempt, failure)
    await ports.run.tell(work, [
      {
        type: 'StepFailed',
        step,
        attempt,
        error: stepErrorOf(failure, { attempts: attempt, atMs: ports.clock.nowMs() }),
        ...(next.retry && { delayMs: next.delayMs }),
      },
    ])
  }
}

function isHandled(progress: RunProgress, { step, attempt }: RunWork): boolean {
  return progress.phase === (step === 'plan' ? 'planning' : 'assembling') && progress.attempt === attempt
}

async function plan(input: Stepping, file: RunState, delivered: Delivered<RunWork>): Promise<void> {
  const { ports } = input
  const planned = await onTrial(ports, suspicionOf(input, delivered), () => ports.planner.plan(file, delivered.signal))
  await ports.faults.point('plan.after-store')
  await ports.run.tell(file, [{ type: 'Planned', ...planned }])
}

function suspicionOf({ options }: Stepping, { work, deliveries, signal }: Delivered<RunWork>): Suspicion {
  const { deathsMax } = options
  return { deliveries, signal, deathsMax, folder: trialFolder(work, `${work.step}.${work.attempt}`) }
}

async function assemble(input: Stepping, file: RunState, delivered: Delivered<RunWork>): Promise<void> {
  const { ports } = input
  const { signal } = delivered
  const chunks = chunksOf(file.progress)
  if (!chunks) return
  const transcript = await onTrial(ports, suspicionOf(input, delivered), () =>
    ports.assembler.assemble(file, chunks, signal),
  )
  const bytes = Buffer.from(JSON.stringify(transcript))
  await ports.blobs.put(transcriptKey(file), { bytes }, { ifAbsent: true, signal })
  await ports.faults.point('assemble.after-store')
  const wordlessSeconds = wordlessSecondsOf(transcript)
  await ports.run.tell(file, [{ type: 'Assembled', atMs: ports.clock.nowMs(), wordlessSeconds }])
}

/** Chunks that failed are counted by themselves. */
function wordlessSecondsOf({ result: { gaps = [] } }: StoredTranscript): number {
  return gaps.reduce((sum, gap) => sum + (gap.chunk_index === undefined ? gap.end - gap.start : 0), 0)
}

function idsOf({ batchId, fileId }: RunWork): object {
  return { batchId, fileId }
}
