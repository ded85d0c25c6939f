import type { RetryPolicy } from '../../actors/attempt/retry.ts'
import type { QuotaLimits } from '../../actors/batch/quota.ts'
import { isBatchId, isFileId, isOwner } from '../../actors/ids.ts'
import type { BatchId, FileId, Owner } from '../../actors/ids.ts'
import type { InquiryKind } from '../../actors/inquiry/state.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { calm } from './weather.ts'
import type { Service, Weather } from './weather.ts'

/** What a seed stands for: who submits and deletes what, what the recordings do to those who hear them, and what goes wrong when. */
export interface Scenario {
  readonly batches: readonly PlannedBatch[]
  readonly recordings: ReadonlyMap<FileId, SimRecording>
  /** Their records become larger than any may be as soon as a chunk of them has settled. */
  readonly oversized: ReadonlySet<FileId>
  readonly deletions: readonly PlannedDeletion[]
  readonly batchDeletions: readonly PlannedBatchDeletion[]
  readonly cancellations: readonly PlannedCancellation[]
  readonly kind: Kind
  readonly limits: Limits
  /** What is said in the recordings is redacted: what chunks said does not outlive their file. */
  readonly redacts: boolean
  /** What is wanted of each transcript. */
  readonly inquiries?: PlannedInquiries
  readonly workers: number
  readonly gateways: number
  readonly sweepers: number
  readonly weather: Weather
  readonly faults: readonly SimFault[]
  /** No fault after this. */
  readonly calmAtMs: number
}

export interface PlannedBatch {
  readonly batchId: BatchId
  readonly owner: Owner
  readonly files: readonly PlannedFile[]
  readonly atMs: number
  /** How long its gateway may take between two writes. */
  readonly dawdleMs: number
  /** Its client tries until it is answered. */
  readonly isPatient: boolean
  /** Who is to be called when it ends. */
  readonly callee?: Callee
}

/** What answers at the address that a user gave. */
export const callees = ['there', 'flaky', 'gone', 'hanging'] as const
type Callee = (typeof callees)[number]

interface PlannedFile {
  readonly fileId: FileId
  readonly source: SimRecording['source']
}

interface PlannedInquiries {
  readonly after: readonly InquiryKind[]
  readonly questions?: readonly string[]
  /** What who answers does. */
  readonly model: Behaviour
}

interface PlannedDeletion {
  readonly owner: Owner
  readonly fileId: FileId
  readonly atMs: number
}

interface PlannedBatchDeletion {
  readonly owner: Owner
  readonly batchId: BatchId
  readonly withFiles: boolean
  readonly atMs: number
}

interface PlannedCancellation {
  readonly owner: Owner
  readonly batchId: BatchId
  readonly atMs: number
}

/** By content, so that the same part does the same to whoever hears it. */
interface SimRecording {
  readonly owner: Owner
  /** What came as an address has no record of its own. */
  readonly source: 'upload' | 'url'
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
  /** For so long a deletion is remembered that is done. */
  readonly lingerMs: number
  readonly quota: QuotaLimits
  readonly newsAfterMs: number
  /** Whether who cuts a short file finishes it. */
  readonly finishesShort: boolean
}

export type SimFault =
  | { readonly type: 'down'; readonly service: Service; readonly atMs: number; readonly ms: number }
  | { readonly type: 'pause' | 'haunt' | 'drain' | 'kill'; readonly atMs: number; readonly ms: number }
  | { readonly type: 'lose'; readonly atMs: number }

const owners = [ownerOf(1), ownerOf(2)]
const filesAtOnce = 4
const dawdlesMs = [0, 0, 0, 0, 0, 0, 20_000, 100_000, 900_000] as const
/** Each is enough for one batch. */
const quotas = [0, filesAtOnce, 100] as const
const horizonsMs = [300, 3000, 30_000, 400_000] as const

export function scenarioOf(seed: number): Scenario {
  const random = createRandom(seed, 'scenario')
  const calmAtMs = random.pick(horizonsMs)
  const outages = createRandom(seed, 'outages')
  const kind = kindOf(random, outages)
  const sweepers = random.pick([0, 1, 2, 2, 2])
  const recordings = new Map<FileId, SimRecording>()
  const fileIds = Array.from({ length: random.between(1, 4) }, (_, index) => fileIdOf(index))
  for (const fileId of fileIds) recordings.set(fileId, someRecording(random, random.pick(owners)))
  const wishes = createRandom(seed, 'inquiries')
  const inquiries = inquiriesOf(wishes, sweepers > 0)
  const batches = batchesOf(random, { recordings, isSwept: sweepers > 0 })
  return {
    batches: withCalls(createRandom(seed, 'addresses'), batches),
    recordings,
    // where storage is away nothing else is to be anybody's end
    oversized: kind === 'outage' ? new Set() : oversizedOf(createRandom(seed, 'oversized'), fileIds),
    kind,
    deletions: deletionsOf(random, { recordings, kind, calmAtMs }),
    batchDeletions: batchDeletionsOf(createRandom(seed, 'batch deletions'), { batches, calmAtMs }),
    cancellations: cancellationsOf(createRandom(seed, 'cancellations'), { batches, calmAtMs }),
    limits: { ...limitsOf(random), ...shortcutsOf(createRandom(seed, 'shortcuts')) },
    redacts: createRandom(seed, 'redaction').chance(0.2),
    ...(inquiries && { inquiries }),
    workers: random.between(1, 3),
    gateways: random.between(1, 2),
    sweepers,
    weather: weatherFor(kind, random),
    faults: [
      ...faultsOf(random, { kind, calmAtMs, mayLose: sweepers > 0 }),
      ...outagesOf(outages, kind, calmAtMs),
      ...(inquiries ? chatOutagesOf(wishes, kind, calmAtMs) : []),
    ],
    calmAtMs,
  }
}

/** Drawn apart from the rest, as calls are. */
function oversizedOf(random: Random, fileIds: readonly FileId[]): ReadonlySet<FileId> {
  return new Set(random.chance(0.1) ? fileIds.filter(() => random.chance(0.5)) : [])
}

/**
 * Fair: nothing goes wrong. Haunted: workers stand still while what they have in hand is deleted, and go on after that. Outage: nothing
 * goes wrong but that storage is away.
 */
type Kind = 'foul' | 'fair' | 'haunted' | 'outage'

/** Outages are drawn apart, as calls are. */
function kindOf(random: Random, outages: Random): Kind {
  if (random.chance(0.1)) return 'fair'
  if (random.chance(0.1)) return 'haunted'
  return outages.chance(0.1) ? 'outage' : 'foul'
}

type Recordings = ReadonlyMap<FileId, SimRecording>

function batchesOf(random: Random, input: { recordings: Recordings; isSwept: boolean }): PlannedBatch[] {
  const batches: PlannedBatch[] = []
  for (const owner of owners) {
    const own = [...input.recordings]
      .filter(([, recording]) => recording.owner === owner)
      .map(([fileId, { source }]) => ({ fileId, source }))
    for (let at = 0; at < own.length;) {
      const count = random.between(1, filesAtOnce)
      // the same file in two batches
      const from = at > 0 && own[at - 1]?.source === 'upload' && random.chance(0.3) ? at - 1 : at
      const files = own.slice(from, Math.min(at + count, from + filesAtOnce))
      batches.push({
        batchId: batchIdOf(batches.length),
        owner,
        files,
        atMs: random.below(500),
        dawdleMs: random.pick(dawdlesMs),
        isPatient: !input.isSwept || random.chance(0.7),
      })
      at = from + files.length
    }
  }
  return batches
}

/** Drawn apart from the rest: a seed without calls tells the story that it told before there were any. */
function withCalls(random: Random, batches: readonly PlannedBatch[]): readonly PlannedBatch[] {
  if (!random.chance(0.3)) return batches
  return batches.map((batch) => ({ callee: random.pick(callees), ...batch }))
}

/** Most of them while somebody is at work on the file. */
function deletionsOf(
  random: Random,
  input: { recordings: Recordings; kind: Kind; calmAtMs: number },
): PlannedDeletion[] {
  const all = Array.from(input.recordings, ([fileId, { owner }]) => ({ fileId, owner }))
  if (input.kind === 'haunted') return all.map((file) => ({ atMs: random.between(1000, 60_000), ...file }))
  return all
    .filter(() => random.chance(0.25))
    .map((file) => ({ atMs: random.below(random.pick([1000, 2000, 2000, 2 * input.calmAtMs])), ...file }))
}

/** Drawn apart from the rest, as calls are. */
function batchDeletionsOf(
  random: Random,
  { batches, calmAtMs }: { batches: readonly PlannedBatch[]; calmAtMs: number },
): PlannedBatchDeletion[] {
  if (!random.chance(0.3)) return []
  return batches
    .filter(() => random.chance(0.6))
    .map(({ owner, batchId }) => ({
      owner,
      batchId,
      withFiles: random.chance(0.3),
      atMs: random.below(random.pick([1000, 2000, 60_000, 2 * calmAtMs])),
    }))
}

/** Drawn apart from the rest, as calls are. */
function cancellationsOf(
  random: Random,
  { batches, calmAtMs }: { batches: readonly PlannedBatch[]; calmAtMs: number },
): PlannedCancellation[] {
  if (!random.chance(0.15)) return []
  return batches
    .filter(() => random.chance(0.6))
    .map(({ owner, batchId }) => ({
      owner,
      batchId,
      atMs: random.below(random.pick([1000, 2000, 60_000, 2 * calmAtMs])),
    }))
}

function someRecording(random: Random, owner: Owner): SimRecording {
  const behaviours: readonly Behaviour[] = random.chance(0.4)
    ? ['fine']
    : ['fine', 'fine', 'fine', 'flaky', 'flaky', 'puzzling', 'refused', 'hanging', 'deadly']
  const step = (): Behaviour => (random.chance(0.1) ? random.pick(behaviours) : 'fine')
  const chunks = Array.from({ length: random.pick([0, 1, 2, 3, 4, 6]) }, () => random.pick(behaviours))
  const source = random.chance(0.3) ? 'url' : 'upload'
  return { owner, source, plan: step(), assemble: step(), chunks }
}

/** Drawn apart from the rest, as calls are. */
function shortcutsOf(random: Random): Pick<Limits, 'newsAfterMs' | 'finishesShort'> {
  return { newsAfterMs: random.pick([0, 50, 1000]), finishesShort: random.chance(0.8) }
}

function limitsOf(random: Random): Omit<Limits, 'newsAfterMs' | 'finishesShort'> {
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
    lingerMs: 700_000,
    quota: { quotaFiles: random.pick(quotas), quotaAudioSeconds: 0 },
  }
}

function weatherFor(kind: Kind, random: Random): Weather {
  if (kind === 'outage') return { ...calm, storage: random.pick([0, 0.02, 0.1]) }
  return kind === 'foul' ? weatherOf(random) : calm
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

function faultsOf(random: Random, input: { kind: Kind; calmAtMs: number; mayLose: boolean }): SimFault[] {
  if (input.kind === 'fair' || input.kind === 'outage') return []
  if (input.kind === 'haunted')
    return Array.from({ length: 2 }, () => ({ type: 'haunt', atMs: random.between(200, 1500), ms: 200_000 }))
  const when = (): number => random.below(input.calmAtMs)
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
    ...(input.mayLose ? times(() => ({ type: 'lose', atMs: when() }) as const) : []),
  ]
}

/** Storage is away for longer than all retries take, and may be so again. */
function outagesOf(random: Random, kind: Kind, calmAtMs: number): SimFault[] {
  if (kind !== 'outage' && (kind !== 'foul' || !random.chance(0.2))) return []
  return Array.from({ length: random.between(1, 3) }, () => ({
    type: 'down',
    service: 'storage',
    atMs: random.below(calmAtMs),
    ms: random.pick([60_000, 200_000, 1_000_000]),
  }))
}

/** Drawn apart from the rest, as calls are. Where nobody sweeps none are asked for: who dies between two of them leaves the second to the sweeper. */
function inquiriesOf(random: Random, isSwept: boolean): PlannedInquiries | undefined {
  if (!isSwept || !random.chance(0.3)) return undefined
  const after = random.pick<readonly InquiryKind[]>([
    ['summary'],
    ['summary', 'chapters'],
    ['question'],
    ['translation', 'question'],
  ])
  const model = random.pick<Behaviour>(['fine', 'fine', 'fine', 'flaky', 'puzzling', 'refused', 'hanging'])
  const questions = ['What is it about?', 'What is to be done?'].slice(0, random.between(1, 2))
  return { after, model, ...(after.includes('question') && { questions }) }
}

/** Who answers is away: for a moment, or for longer than all retries take. */
function chatOutagesOf(random: Random, kind: Kind, calmAtMs: number): SimFault[] {
  if (kind === 'fair' || !random.chance(0.4)) return []
  return Array.from({ length: random.between(1, 2) }, () => ({
    type: 'down',
    service: 'chat',
    atMs: random.below(calmAtMs),
    ms: random.pick([1000, 60_000, 400_000]),
  }))
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

/** More than any scenario has, of batches or files. */
const idsMax = 100

/** What is submitted again comes as another batch. */
export function batchSentAs(batchId: BatchId, sent: number): BatchId {
  return batchIdOf(numberOf(batchId) + sent * idsMax)
}

/** An address gets another id each time that it is submitted; what was uploaded has its own. */
export function fileSentAs({ fileId, source }: PlannedFile, sent: number): FileId {
  return source === 'upload' ? fileId : fileIdOf(numberOf(fileId) + sent * idsMax)
}

export function isOversized({ oversized }: Scenario, fileId: FileId): boolean {
  return oversized.has(fileIdOf(numberOf(fileId) % idsMax))
}

export function recordingOf({ recordings }: Scenario, fileId: FileId): SimRecording {
  const recording = recordings.get(fileIdOf(numberOf(fileId) % idsMax))
  if (!recording) throw new Error(`no recording ${fileId}`)
  return recording
}

function numberOf(id: FileId | BatchId): number {
  return Number(id.slice(-12))
}

function ownerOf(number: number): Owner {
  const owner = String(number).padStart(22, 'o')
  if (!isOwner(owner)) throw new Error('not an owner')
  return owner
}
