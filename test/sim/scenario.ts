import type { BatchId, FileId, Owner } from '../../actors/ids.ts'
import { isBatchId, isFileId, isOwner } from '../../actors/ids.ts'
import type { RetryPolicy } from '../../actors/retry.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { calm } from './weather.ts'
import type { Service, Weather } from './weather.ts'

/** What a seed stands for: who submits and deletes what, what the recordings do to those who hear them, and what goes wrong when. */
export interface Scenario {
  readonly batches: readonly PlannedBatch[]
  readonly recordings: ReadonlyMap<FileId, Recording>
  readonly deletions: readonly { readonly fileId: FileId; readonly atMs: number }[]
  readonly limits: Limits
  readonly workers: number
  readonly sweepers: number
  readonly weather: Weather
  readonly faults: readonly PlannedFault[]
  /** No fault after this. */
  readonly calmAtMs: number
}

export interface PlannedBatch {
  readonly batchId: BatchId
  readonly owner: Owner
  readonly files: readonly FileId[]
  readonly atMs: number
  /** How long its client may take between two writes. */
  readonly dawdleMs: number
}

/** By content, so that the same part does the same to whoever hears it. */
export interface Recording {
  readonly owner: Owner
  readonly plan: Behaviour
  readonly assemble: Behaviour
  readonly chunks: readonly Behaviour[]
}

/** `flaky` fails now and then, `puzzling` in a way that nobody foresaw; the others do the same each time. */
export type Behaviour = 'fine' | 'flaky' | 'puzzling' | 'refused' | 'hanging' | 'deadly'

export interface Limits {
  readonly fileWindow: number
  readonly batchWindow: number
  readonly lostMax: number
  readonly deathsMax: number
  readonly saveAudio: boolean
  readonly retry: RetryPolicy
  readonly staleMs: number
  readonly orphanMs: number
  readonly sweepMs: number
  readonly chunkDeadlineMs: number
  readonly fileDeadlineMs: number
}

export type PlannedFault =
  | { readonly type: 'down'; readonly service: Service; readonly atMs: number; readonly ms: number }
  | { readonly type: 'pause' | 'drain' | 'kill'; readonly atMs: number; readonly ms: number }
  | { readonly type: 'lose'; readonly atMs: number }

const owners = [ownerOf(1), ownerOf(2)]
const dawdlesMs = [0, 0, 0, 0, 0, 0, 20_000, 100_000, 900_000] as const
const horizonsMs = [300, 3000, 30_000, 400_000] as const

export function scenarioOf(seed: number): Scenario {
  const random = createRandom(seed, 'scenario')
  const calmAtMs = random.pick(horizonsMs)
  const kind = kindOf(random)
  const sweepers = random.pick([0, 1, 2, 2, 2])
  const recordings = new Map<FileId, Recording>()
  const fileIds = Array.from({ length: random.between(1, 4) }, (_, index) => fileIdOf(index))
  for (const fileId of fileIds) recordings.set(fileId, recordingOf(random, random.pick(owners)))
  const batches = batchesOf(random, recordings)
  return {
    batches,
    recordings,
    deletions: deletionsOf(random, { fileIds, kind, calmAtMs }),
    limits: limitsOf(random),
    workers: random.between(1, 3),
    sweepers,
    weather: kind === 'foul' ? weatherOf(random) : calm,
    faults: faultsOf(random, { kind, calmAtMs, mayLose: sweepers > 0 }),
    calmAtMs,
  }
}

/** Fair: nothing goes wrong. Haunted: workers stand still while what they have in hand is deleted, and go on after that. */
type Kind = 'foul' | 'fair' | 'haunted'

function kindOf(random: Random): Kind {
  if (random.chance(0.1)) return 'fair'
  return random.chance(0.1) ? 'haunted' : 'foul'
}

function batchesOf(random: Random, recordings: ReadonlyMap<FileId, Recording>): PlannedBatch[] {
  const batches: PlannedBatch[] = []
  for (const owner of owners) {
    const own = [...recordings].filter(([, recording]) => recording.owner === owner).map(([fileId]) => fileId)
    for (let at = 0; at < own.length;) {
      const count = random.between(1, 4)
      const from = at > 0 && random.chance(0.2) ? at - 1 : at // the same file in two batches
      const files = own.slice(from, at + count)
      batches.push({
        batchId: batchIdOf(batches.length),
        owner,
        files,
        atMs: random.below(500),
        dawdleMs: random.pick(dawdlesMs),
      })
      at += count
    }
  }
  return batches
}

/** Most of them while somebody is at work on the file. */
function deletionsOf(
  random: Random,
  of: { fileIds: readonly FileId[]; kind: Kind; calmAtMs: number },
): Scenario['deletions'] {
  if (of.kind === 'haunted') return of.fileIds.map((fileId) => ({ fileId, atMs: random.between(1000, 60_000) }))
  return of.fileIds
    .filter(() => random.chance(0.25))
    .map((fileId) => ({ fileId, atMs: random.below(random.pick([1000, 2000, 2000, 2 * of.calmAtMs])) }))
}

function recordingOf(random: Random, owner: Owner): Recording {
  const behaviours: readonly Behaviour[] = random.chance(0.4)
    ? ['fine']
    : ['fine', 'fine', 'fine', 'flaky', 'flaky', 'puzzling', 'refused', 'hanging', 'deadly']
  const step = (): Behaviour => (random.chance(0.1) ? random.pick(behaviours) : 'fine')
  const chunks = Array.from({ length: random.pick([0, 1, 2, 3, 4, 6]) }, () => random.pick(behaviours))
  return { owner, plan: step(), assemble: step(), chunks }
}

function limitsOf(random: Random): Limits {
  return {
    fileWindow: random.between(1, 4),
    batchWindow: random.between(1, 3),
    lostMax: 3,
    deathsMax: random.between(2, 3),
    saveAudio: random.chance(0.5),
    retry: { retriesMax: random.between(0, 3), intervalsMs: [5000, 15_000, 45_000] },
    staleMs: 120_000,
    orphanMs: 600_000,
    sweepMs: 60_000,
    chunkDeadlineMs: 60_000,
    fileDeadlineMs: 300_000,
  }
}

function weatherOf(random: Random): Weather {
  const some = (rate: number): number => (random.chance(0.4) ? rate * random.pick([0.2, 1, 5]) : 0)
  return {
    crash: some(0.004),
    crashAtPoint: some(0.02),
    unknown: some(0.01),
    storage: some(0.02),
    slow: some(0.02),
    lostAck: some(0.05),
    twice: some(0.1),
    overloaded: some(0.01),
    stale: some(0.3),
  }
}

function faultsOf(random: Random, of: { kind: Kind; calmAtMs: number; mayLose: boolean }): PlannedFault[] {
  if (of.kind === 'fair') return []
  if (of.kind === 'haunted')
    return Array.from({ length: 2 }, () => ({ type: 'pause', atMs: random.between(200, 1500), ms: 200_000 }))
  const when = (): number => random.below(of.calmAtMs)
  const few = (): number => (random.chance(0.3) ? random.between(1, 3) : 0)
  const times = <Fault>(make: () => Fault): Fault[] => Array.from({ length: few() }, make)
  return [
    ...times(
      () => ({ type: 'down', service: 'broker', atMs: when(), ms: random.pick([1, 100, 5000, 100_000]) }) as const,
    ),
    ...times(() => ({ type: 'down', service: 'storage', atMs: when(), ms: random.pick([100, 5000, 40_000]) }) as const),
    ...times(() => ({ type: 'pause', atMs: when(), ms: random.pick([1000, 40_000, 200_000]) }) as const),
    ...times(() => ({ type: 'drain', atMs: when(), ms: random.pick([0, 200, 5000]) }) as const),
    ...times(() => ({ type: 'kill', atMs: when(), ms: random.pick([0, 5000, 60_000]) }) as const),
    ...(of.mayLose ? times(() => ({ type: 'lose', atMs: when() }) as const) : []),
  ]
}

function idOf(kind: string, number: number): string {
  return `${kind.repeat(8)}-0000-7000-8000-${String(number).padStart(12, '0')}`
}

function fileIdOf(number: number): FileId {
  const id = idOf('f', number)
  if (!isFileId(id)) throw new Error('not an id')
  return id
}

function batchIdOf(number: number): BatchId {
  const id = idOf('b', number)
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

function ownerOf(number: number): Owner {
  const owner = String(number).padStart(22, 'o')
  if (!isOwner(owner)) throw new Error('not an owner')
  return owner
}
