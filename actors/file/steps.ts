import { FailureError, isBrokerAway, isRetryable } from '../failure.ts'
import { stepErrorOf, whyItFailed } from '../attempt.ts'
import { transcriptKey, trialFolder } from '../ids.ts'
import type { Assembler, Delivered, FileWork, Log, Planner } from '../ports.ts'
import { nextAttempt } from '../retry.ts'
import type { RetryPolicy } from '../retry.ts'
import { onTrial } from '../trial.ts'
import type { Suspicion, TrialPorts } from '../trial.ts'
import { commitFile, performAll, tellFile } from './tell.ts'
import type { FileOptions, FilePorts } from './tell.ts'
import { chunksOf } from './state.ts'
import type { FileProgress, FileState } from './state.ts'

export interface StepPorts extends FilePorts, TrialPorts {
  readonly planner: Planner
  readonly assembler: Assembler
  readonly log: Log
  /** False when the user deleted the uploaded file meanwhile. */
  isWanted(file: FileState): Promise<boolean>
}

export interface StepOptions extends FileOptions {
  readonly retry: RetryPolicy
  /** How many workers may die with it. */
  readonly deathsMax: number
}

interface Stepping {
  readonly ports: StepPorts
  readonly options: StepOptions
}

/** One delivery of a file's work. Resolves when it may be acknowledged, whatever became of the step. */
export async function runStep(of: Stepping, delivered: Delivered<FileWork>): Promise<void> {
  const { ports, options } = of
  const { work } = delivered
  const { step, attempt } = work
  const file = await tellFile(of, work, [{ type: 'Begin', step, attempt, atMs: ports.clock.nowMs() }])
  await ports.faults.point('step.after-begin')
  if (!file || !isInHand(file.progress, work)) return
  if (!(await ports.isWanted(file))) {
    await tellFile(of, work, [{ type: 'Purge' }])
    return
  }
  try {
    await (step === 'plan' ? plan(of, file, delivered) : assemble(of, file, delivered))
  } catch (error) {
    const failure = whyItFailed(error, delivered.signal)
    if (!failure) throw error
    if (isRetryable(error)) ports.log.warn('step failed', { ...idsOf(work), step, attempt, error })
    else ports.log.info('step failed for good', { ...idsOf(work), step, attempt, code: failure.code })
    if (failure.code === 'worker_failed') ports.log.error('step crashed', { ...idsOf(work), step, error })
    const next = nextAttempt(options.retry, attempt, failure)
    await tellFile(of, work, [
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

function isInHand(progress: FileProgress, { step, attempt }: FileWork): boolean {
  return progress.phase === (step === 'plan' ? 'planning' : 'assembling') && progress.attempt === attempt
}

async function plan(of: Stepping, file: FileState, delivered: Delivered<FileWork>): Promise<void> {
  const { ports } = of
  const planned = await onTrial(ports, suspicionOf(of, delivered), () => ports.planner.plan(file, delivered.signal))
  await ports.faults.point('plan.after-store')
  const committed = await commitFile(of, file, [{ type: 'Planned', ...planned }])
  await ports.faults.point('plan.after-commit')
  try {
    await performAll(of, file, committed)
  } catch (error) {
    // when another has planned it meanwhile, we looked after the work of others: nothing of ours failed
    const isOurs = committed.effects.some(({ type }) => type === 'EnqueueChunks')
    // a broker that is away keeps us from writing anything: the work comes again and goes on where it was
    if (!isOurs || !(error instanceof FailureError) || isBrokerAway(error)) throw error
    await tellFile(of, file, [{ type: 'FanOutFailed', error: fanOutError(error, ports.clock.nowMs()) }])
  }
}

function suspicionOf({ options }: Stepping, { work, deliveries, signal }: Delivered<FileWork>): Suspicion {
  const { deathsMax } = options
  return { deliveries, signal, deathsMax, folder: trialFolder(work, `${work.step}.${work.attempt}`) }
}

async function assemble(of: Stepping, file: FileState, delivered: Delivered<FileWork>): Promise<void> {
  const { ports } = of
  const { signal } = delivered
  const chunks = chunksOf(file.progress)
  if (!chunks) return
  const transcript = await onTrial(ports, suspicionOf(of, delivered), () =>
    ports.assembler.assemble(file, chunks, signal),
  )
  const bytes = Buffer.from(JSON.stringify(transcript))
  await ports.blobs.put(transcriptKey(file), { bytes }, { ifAbsent: true, signal })
  await ports.faults.point('assemble.after-store')
  await tellFile(of, file, [{ type: 'Assembled', atMs: ports.clock.nowMs() }])
}

function fanOutError(error: FailureError, atMs: number): ReturnType<typeof stepErrorOf> {
  return stepErrorOf(
    {
      kind: 'terminal',
      code: 'fan_out_failed',
      detail: `Not all parts of the recording could be enqueued (${error.failure.code}); submit it again.`,
    },
    { attempts: 1, atMs },
  )
}

function idsOf({ batchId, fileId }: FileWork): object {
  return { batchId, fileId }
}
