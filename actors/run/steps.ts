import { outcomeOf, simplyDone } from '../attempt/attempted.ts'
import type { Attempted, Failed } from '../attempt/attempted.ts'
import { excused } from '../attempt/excuse.ts'
import type { ExcusePorts } from '../attempt/excuse.ts'
import { wakeIfOver } from '../attempt/left-late.ts'
import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { onTrial } from '../attempt/trial.ts'
import type { Suspicion, TrialPorts } from '../attempt/trial.ts'
import { unreachable } from '../decision.ts'
import { runKey, transcriptKey, trialFolder } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Delivered, Faults, Log, Records, Slotted } from '../ports.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import type { RunActor } from './actor.ts'
import { withFetched } from './fetched.ts'
import type { FetchPorts } from './fetched.ts'
import type { Assembler, FetchedSource, Reports, RunWork, Planner } from './ports.ts'
import { chunksOf, stepErrorOf } from './state.ts'
import type { RunProgress, RunState } from './state.ts'

export interface StepPorts extends TrialPorts, ExcusePorts, FetchPorts {
  readonly run: Pick<RunActor, 'tell'>
  readonly runs: Pick<Records<RunState>, 'read'>
  readonly reports: Reports
  readonly planner: Planner
  readonly assembler: Assembler
  readonly faults: Faults
  readonly log: Log
  /** Rejects when its user's quota has no room for as much as was decoded. */
  admitMeasured(file: RunState, seconds: number): Promise<void>
  /** False when the user deleted the file meanwhile. */
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
export async function runStep(input: Stepping, delivered: Slotted<RunWork>): Promise<void> {
  const { ports } = input
  const { work } = delivered
  const { step, attempt } = work
  const file = await ports.run.tell(work, [{ type: 'Begin', step, attempt, atMs: ports.clock.nowMs() }])
  await ports.faults.point('step.after-begin')
  if (!file || !isHandled(file.progress, work)) return
  if (!(await ports.isWanted(file))) return purge(ports, work)
  const attempted = await outcomeOf(delivered.signal, () =>
    step === 'plan'
      ? withFetched(ports, { file, delivered }, (fetched) => plan(input, { file, delivered, fetched }))
      : assemble(input, file, delivered),
  )
  const stepped = await excused(ports, attempted)
  switch (stepped.kind) {
    case 'done':
      return undefined
    case 'failed':
      return tellFailed(input, work, stepped)
    case 'left':
      await wakeIfOver({
        isOver: async () => !isHandled((await ports.runs.read(runKey(work)))?.value.progress, work),
        wake: () => wakeLate(ports, delivered),
      })
      throw stepped.cause
    default:
      return unreachable(stepped)
  }
}

function wakeLate({ reports }: StepPorts, { work, deliveries }: Delivered<RunWork>): Promise<void> {
  const { step, attempt } = work
  return reports.toFile(work, { type: 'Wake' }, `late:${runKey(work)}:${step}:${attempt}:${deliveries}`)
}

async function purge({ run }: StepPorts, work: RunRef): Promise<void> {
  await run.tell(work, [{ type: 'Purge' }])
}

/** What runs alone may have waited long for its turn, and what it was deleted with took the marks of those who died. */
async function ifStillWanted<Value>(
  ports: StepPorts,
  { file, deliveries }: { readonly file: RunState; readonly deliveries: number },
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  return deliveries === 1 || (await ports.isWanted(file)) ? work() : undefined
}

async function tellFailed({ ports, options }: Stepping, work: RunWork, { failure, cause }: Failed): Promise<void> {
  const { step, attempt } = work
  const facts = { ...idsOf(work), step, attempt }
  if (failure.kind !== 'terminal') ports.log.warn('step failed', { ...facts, error: cause })
  else ports.log.info('step failed for good', { ...facts, code: failure.code })
  if (failure.code === 'worker_failed') ports.log.error('step crashed', { ...facts, error: cause })
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

function isHandled(progress: RunProgress | undefined, { step, attempt }: RunWork): boolean {
  return progress?.phase === (step === 'plan' ? 'planning' : 'assembling') && progress.attempt === attempt
}

async function purged(ports: StepPorts, file: RunRef): Promise<Attempted<void>> {
  await purge(ports, file)
  return simplyDone
}

interface Planning {
  readonly file: RunState
  readonly delivered: Delivered<RunWork>
  readonly fetched: FetchedSource | undefined
}

async function plan(input: Stepping, { file, delivered, fetched }: Planning): Promise<Attempted<void>> {
  const { ports } = input
  const { deliveries, signal } = delivered
  const trial = await onTrial(ports, suspicionOf(input, delivered), () =>
    ifStillWanted(ports, { file, deliveries }, () => ports.planner.plan(file, signal, fetched)),
  )
  if (trial.kind !== 'done') return trial
  if (!trial.value) return purged(ports, file)
  await ports.faults.point('plan.after-store')
  await ports.admitMeasured(file, trial.value.seconds)
  await ports.run.tell(file, [{ type: 'Planned', ...trial.value }])
  return simplyDone
}

function suspicionOf({ options }: Stepping, { work, deliveries, signal }: Delivered<RunWork>): Suspicion {
  const { deathsMax } = options
  return { deliveries, signal, deathsMax, folder: trialFolder(work, `${work.step}.${work.attempt}`) }
}

async function assemble(input: Stepping, file: RunState, delivered: Delivered<RunWork>): Promise<Attempted<void>> {
  const { ports } = input
  const { deliveries, signal } = delivered
  const chunks = chunksOf(file.progress)
  if (!chunks) return simplyDone
  const trial = await onTrial(ports, suspicionOf(input, delivered), () =>
    ifStillWanted(ports, { file, deliveries }, () => ports.assembler.assemble(file, chunks, signal)),
  )
  if (trial.kind !== 'done') return trial
  if (!trial.value) return purged(ports, file)
  const bytes = Buffer.from(JSON.stringify(trial.value))
  await ports.blobs.put(transcriptKey(file), { bytes }, { ifAbsent: true, signal })
  await ports.faults.point('assemble.after-store')
  const wordlessSeconds = wordlessSecondsOf(trial.value)
  await ports.run.tell(file, [{ type: 'Assembled', atMs: ports.clock.nowMs(), wordlessSeconds }])
  return simplyDone
}

/** Chunks that failed are counted by themselves. */
function wordlessSecondsOf({ result: { gaps = [] } }: StoredTranscript): number {
  return gaps.reduce((sum, gap) => sum + (gap.chunk_index === undefined ? gap.end - gap.start : 0), 0)
}

function idsOf({ batchId, fileId }: RunWork): object {
  return { batchId, fileId }
}
