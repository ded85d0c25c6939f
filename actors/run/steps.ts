import { outcomeOf, simplyDone } from '../attempt/attempted.ts'
import type { Attempted } from '../attempt/attempted.ts'
import { excused } from '../attempt/excuse.ts'
import { mayBeWithAnother, promiseToLook } from '../attempt/late-parts.ts'
import { wakeIfOver } from '../attempt/left-late.ts'
import { withNews } from '../attempt/news.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { onTrial } from '../attempt/trial.ts'
import type { Suspicion, TrialPorts } from '../attempt/trial.ts'
import { unreachable } from '../decision.ts'
import { runKey, trialFolder } from '../ids.ts'
import type { Owner, RunRef } from '../ids.ts'
import type { Delivered, Records, Slotted, Timer } from '../ports.ts'
import type { Purge } from '../purge/state.ts'
import type { RunActor } from './actor.ts'
import { cancelledAt } from './chunk-errors.ts'
import { failedStep } from './failed-step.ts'
import { putOff, withFetched } from './fetched.ts'
import type { Fetching, FetchPorts } from './fetched.ts'
import type { FetchedSource, Reports, RunWork, Planner } from './ports.ts'
import type { RunCommand } from './protocol.ts'
import { finishShort } from './short.ts'
import type { ShortPorts } from './short.ts'
import { cancelledAtMsOf, chunksOf, isLong } from './state.ts'
import type { RunProgress, RunState } from './state.ts'
import { storeTranscript } from './store-transcript.ts'

export interface StepPorts extends TrialPorts, ShortPorts, FetchPorts {
  readonly run: Pick<RunActor, 'tell' | 'look'>
  readonly runs: Pick<Records<RunState>, 'read'>
  readonly reports: Reports
  readonly purges: Pick<Records<Purge>, 'create'>
  readonly planner: Planner
  readonly timer: Timer
  /** Rejects when its user's quota has no room for as much as was decoded. */
  admitMeasured(file: RunState, seconds: number): Promise<void>
  /** Whether this user had much of the models lately. Nobody had where it is absent. */
  readonly isPatient?: (owner: Owner) => boolean
  /** False when the user deleted the file meanwhile. */
  isWanted(file: RunState): Promise<boolean>
  /** What came with the work is known from now on. */
  keepSent(work: RunWork): void
}

interface StepOptions {
  readonly retry: RetryPolicy
  /** How many workers may die with it. */
  readonly deathsMax: number
  /** A file that takes longer to cut, and to finish when it is short, is told to be under way. */
  readonly newsAfterMs: number
  /** Otherwise no audio of chunks is to be left. */
  readonly saveAudio: boolean
}

interface Stepping {
  readonly ports: StepPorts
  readonly options: StepOptions
}

/** One delivery of a run's step. Whatever comes of it is told to the run. Resolves when it may be acknowledged, whatever became of the step. */
export async function runStep(input: Stepping, delivered: Slotted<RunWork>): Promise<void> {
  const { ports, options } = input
  const { work, signal } = delivered
  const mayHaveAnother = work.step === 'plan' && mayBeWithAnother(delivered)
  if (mayHaveAnother && !options.saveAudio) await promiseToLook(ports.purges, work)
  ports.keepSent(work)
  const taken = await take(input, delivered)
  const { file } = taken
  // where audio is kept it is known only now that none of this is to be
  if (mayHaveAnother && options.saveAudio && file?.settings.redact) await promiseToLook(ports.purges, work)
  await ports.faults.point('step.after-begin')
  if (!file || !isHandled(file.progress, work)) return
  if (!(await ports.isWanted(file))) return purge(ports, work)
  const cancelledMs = cancelledAtMsOf(file.progress)
  if (cancelledMs !== undefined)
    return void (await ports.run.tell(work, [...taken.unsaid, cancelledStep(work, cancelledMs)]))
  const afterMs = taken.unsaid.length > 0 ? options.newsAfterMs : Infinity
  const news = { afterMs, tell: () => sayBegun(ports, work, taken) }
  const attempted = await outcomeOf(signal, async () => {
    const done = await withNews(ports, news, () =>
      work.step === 'plan' ? planInTurn(input, { file, delivered }) : assemble(input, file, delivered),
    )
    if (done.kind !== 'done') return done
    if (done.value.length > 0) await ports.run.tell(work, [...taken.unsaid, ...done.value])
    return simplyDone
  })
  const stepped = await excused(ports, attempted)
  switch (stepped.kind) {
    case 'done':
      return undefined
    case 'failed':
      return void (await ports.run.tell(work, [...taken.unsaid, failedStep(input, work, stepped)]))
    case 'left':
      await wakeIfOver({
        isOver: async () => !isHandled((await ports.runs.read(runKey(work)))?.value.progress, work),
        wake: () => wakeLate(ports, work),
      })
      throw stepped.cause
    default:
      return unreachable(stepped)
  }
}

/** A step in hand. */
interface Taken {
  readonly file: RunState | undefined
  /** That it has begun, until its run was told: it goes before all else that is. */
  unsaid: readonly RunCommand[]
}

/** Of a file that is cut for the first time it is said later that it has begun, mostly with how it ended. */
async function take({ ports, options }: Stepping, { work, deliveries }: Delivered<RunWork>): Promise<Taken> {
  const { step, attempt, isCancelled } = work
  const begin: RunCommand = { type: 'Begin', step, attempt, atMs: ports.clock.nowMs() }
  const isFirst = step === 'plan' && attempt === 1 && deliveries === 1 && !isCancelled
  if (options.newsAfterMs > 0 && isFirst) {
    const file = await ports.run.look(work)
    if (file?.progress.phase === 'queued') return { file, unsaid: [begin] }
  }
  return { file: await ports.run.tell(work, [begin]), unsaid: [] }
}

function cancelledStep({ step, attempt }: RunWork, atMs: number): RunCommand {
  return { type: 'StepFailed', step, attempt, error: cancelledAt(atMs, attempt) }
}

async function sayBegun({ run }: StepPorts, work: RunWork, taken: Taken): Promise<void> {
  await run.tell(work, taken.unsaid)
  taken.unsaid = []
}

/** Under an id of its own, as a chunk does it. */
function wakeLate({ reports, nextMarkId }: StepPorts, work: RunWork): Promise<void> {
  return reports.toFile(work, { type: 'Wake' }, `late:${runKey(work)}:${work.step}:${nextMarkId()}`)
}

async function purge({ run }: StepPorts, work: RunRef): Promise<void> {
  await run.tell(work, [{ type: 'Purge' }])
}

/**
 * What runs alone may have waited long for its turn, and what it was deleted with took the marks of those who died; or somebody else has
 * ended it, and what is stored now would be left by all.
 */
async function ifStillWanted<Value>(
  ports: StepPorts,
  { file, delivered }: { readonly file: RunState; readonly delivered: Delivered<RunWork> },
  step: () => Promise<Value>,
): Promise<Value | 'unwanted' | 'over'> {
  const { work, deliveries } = delivered
  if (deliveries === 1) return step()
  if (!(await ports.isWanted(file))) return 'unwanted'
  return isHandled((await ports.runs.read(runKey(work)))?.value.progress, work) ? step() : 'over'
}

function isHandled(progress: RunProgress | undefined, { step, attempt }: RunWork): boolean {
  if (progress?.phase === 'queued') return step === 'plan' && attempt === 1
  return progress?.phase === (step === 'plan' ? 'planning' : 'assembling') && progress.attempt === attempt
}

/** What is to be told. */
type Stepped = Attempted<readonly RunCommand[]>

const notDone: Readonly<Record<'unwanted' | 'over', Stepped>> = {
  unwanted: { kind: 'done', value: [{ type: 'Purge' }] },
  // who ended it may have died before it did what that owes, and our message is the last
  over: { kind: 'done', value: [{ type: 'Wake' }] },
}

/** To cut may take long, and a slot that is kept for others is not for that. */
function planInTurn(input: Stepping, turn: Fetching): Promise<Stepped> {
  const { ports } = input
  const { file, delivered } = turn
  const mayWait = isLong(file) || ports.isPatient?.(file.owner) === true
  if (delivered.isSpare && mayWait) return putOff(ports, turn)
  return withFetched(ports, turn, (fetched) => plan(input, { ...turn, fetched }))
}

interface Planning {
  readonly file: RunState
  readonly delivered: Delivered<RunWork>
  readonly fetched: FetchedSource | undefined
}

async function plan(input: Stepping, { file, delivered, fetched }: Planning): Promise<Stepped> {
  const { ports } = input
  const { work, deliveries, signal } = delivered
  const trial = await onTrial(ports, suspicionOf(input, delivered), () =>
    ifStillWanted(ports, { file, delivered }, () => ports.planner.plan(file, signal, fetched)),
  )
  if (trial.kind !== 'done') return trial
  const planned = trial.value
  if (typeof planned === 'string') return notDone[planned]
  await ports.faults.point('plan.after-store')
  await ports.admitMeasured(file, planned.seconds)
  const isFirst = work.attempt === 1 && deliveries === 1
  const more = isFirst ? await finishShort(input, { ...planned, file, signal }) : []
  return { kind: 'done', value: [{ type: 'Planned', ...planned }, ...more] }
}

function suspicionOf({ options }: Stepping, { work, deliveries, signal }: Delivered<RunWork>): Suspicion {
  const { deathsMax } = options
  return { deliveries, signal, deathsMax, folder: trialFolder(work, `${work.step}.${work.attempt}`) }
}

async function assemble(input: Stepping, file: RunState, delivered: Delivered<RunWork>): Promise<Stepped> {
  const { ports } = input
  const { signal } = delivered
  const chunks = chunksOf(file.progress)
  if (!chunks) return notDone.over
  const trial = await onTrial(ports, suspicionOf(input, delivered), () =>
    ifStillWanted(ports, { file, delivered }, () => ports.assembler.assemble(file, chunks, signal)),
  )
  if (trial.kind !== 'done') return trial
  const assembled = trial.value
  if (typeof assembled === 'string') return notDone[assembled]
  return { kind: 'done', value: [await storeTranscript(ports, assembled, { file, signal })] }
}
