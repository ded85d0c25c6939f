import type { BatchOrder } from '../../actors/batch/protocol.ts'
import { openBatches } from '../../actors/batch/submit.ts'
import type { SubmitPorts } from '../../actors/batch/submit.ts'
import { isBrokerAway } from '../../actors/failure.ts'
import { isUploadId, uploadKey } from '../../actors/ids.ts'
import type { BatchId, FileId, Owner } from '../../actors/ids.ts'
import type { Reports } from '../../actors/run/ports.ts'
import type { Source } from '../../actors/run/state.ts'
import type { Batches } from '../../actors/services.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import type { CompletedFile, FileFacts, UploadedFile } from '../../actors/upload/state.ts'
import { noBacklog } from '../support/no-backlog.ts'
import { domainFor } from './domain.ts'
import { addressOf } from './webhooks.ts'
import type { Platform } from './platform-parts.ts'
import { startProcess } from './process.ts'
import { batchSentAs, fileSentAs } from './scenario.ts'
import type { PlannedBatch } from './scenario.ts'
import { mustBeFailure } from './settle.ts'
import type { Process } from './world.ts'

/** One client and the gateway that it asks. What it repeats comes under the same idempotency key. */
interface Submission {
  readonly planned: PlannedBatch
  /** How often it was sent before. */
  sent: number
  /** What was sent last and may have come, or come yet. */
  unanswered?: BatchId | undefined
}

const pausesMs = [1000, 1000, 2000, 5000, 15_000] as const
/** Quota comes back when batches finish. */
const fullMs = 30_000
/** What a dead gateway sent has arrived by then: its key is not given to another before. */
const keyStaleMs = 30_000

/** Submits a batch. A client that gives up was promised nothing; a patient one tries until it is answered. */
export function submitInSim(platform: Platform, planned: PlannedBatch): void {
  send(platform, { planned, sent: 0 }, planned.atMs)
}

function send(platform: Platform, submission: Submission, delayMs: number): void {
  const { world, promises, scenario } = platform
  const { planned } = submission
  promises.open += 1
  world.after(delayMs, () => {
    const process = startProcess(world, `client ${planned.batchId.slice(-1)}`)
    // one that is given up by the sweeper, goes on after that, and dies, leaves something that nobody finds
    process.mayDie = planned.dawdleMs < scenario.limits.orphanMs
    process.whenDead = () => {
      promises.open -= 1
      if (planned.isPatient) send(platform, submission, keyStaleMs)
    }
    void untilAnswered(platform, process, submission).then((accepted) => {
      world.end(process)
      promises.open -= 1
      if (accepted) promises.accepted.add(accepted)
      world.note(process.name, accepted ? 'was promised a batch' : 'was told no')
    })
  })
}

async function untilAnswered(platform: Platform, process: Process, input: Submission): Promise<BatchId | undefined> {
  const ports = submitPorts(platform, process, input)
  const batches = openBatches(ports, { queueMaxFiles: Infinity, ...platform.scenario.limits.quota })
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(platform, { batches, reports: ports.reports }, input)
    } catch (error) {
      mustBeFailure(platform.world, error)
      if (!isBrokerAway(error)) input.unanswered = undefined
      if (!input.planned.isPatient) return undefined
      await platform.world.sleep(process, isBrokerAway(error) ? (pausesMs[failures] ?? fullMs) : fullMs)
    }
  }
}

async function attempt(
  platform: Platform,
  { batches, reports }: { batches: Batches; reports: SubmitPorts['reports'] },
  input: Submission,
): Promise<BatchId> {
  const { sentAs, batchSentAs: batchesSentAs } = platform
  const { owner } = input.planned
  if (input.unanswered) {
    const first = await batches.withdraw({ owner, batchId: input.unanswered })
    if (first) {
      await reports.toBatch({ owner, batchId: first.batchId }, { type: 'Wake' }, `repeated:${first.batchId}`)
      return first.batchId
    }
  }
  const batchId = batchSentAs(input.planned.batchId, input.sent)
  const order = orderOf(platform, input, batchId)
  for (const [at, { fileId }] of input.planned.files.entries()) sentAs.set(fileId, order.members[at]!.fileId)
  batchesSentAs.set(input.planned.batchId, batchId)
  input.sent += 1
  input.unanswered = batchId
  await batches.submit(order)
  return batchId
}

function submitPorts(platform: Platform, process: Process, input: Submission): SubmitPorts {
  const { world, scenario } = platform
  const { batch } = domainFor(platform, process)
  return {
    issuing: { files: filesFor(platform, process, input.planned), ...batch },
    backlog: noBacklog,
    ...batch,
    reports: scenario.sweepers > 0 ? batch.reports : insistent(platform, process, batch.reports),
    faults: {
      async point(name) {
        if (input.sent === 1) await world.sleep(process, world.random.between(0, input.planned.dawdleMs))
        await batch.faults.point(name)
      },
    },
  }
}

/** The broken build hands a file to the workers without looking whether it is there. */
function filesFor(
  { broken, files }: Platform,
  process: Process,
  { owner, files: planned }: PlannedBatch,
): Pick<FileRecords, 'read'> {
  const [first] = planned
  if (broken !== 'issue-blindly' || !first) return files.portFor(process)
  const value = uploadedFile(owner, first.fileId)
  return { read: () => Promise.resolve({ value, revision: 1, storedAtMs: 0 }) }
}

/** Where nobody sweeps, who submits sees to it that the batch is woken. */
function insistent({ world }: Platform, process: Process, reports: Reports): Pick<Reports, 'toBatch'> {
  return {
    async toBatch(input, command, id) {
      for (;;) {
        try {
          return await reports.toBatch(input, command, id)
        } catch (error) {
          mustBeFailure(world, error)
          await world.sleep(process, pausesMs[0])
        }
      }
    },
  }
}

const redacting = { redact: ['name'], redactAudio: true } as const

function orderOf({ scenario, files: stored }: Platform, { planned, sent }: Submission, batchId: BatchId): BatchOrder {
  const { owner, files, callee } = planned
  const { after, questions } = scenario.inquiries ?? {}
  return {
    batchId,
    owner,
    settings: { script: 'mixed', channels: 'mix', ...(scenario.redacts && redacting), ...(after && { after }) },
    ...(questions && { questions }),
    ...(callee && { callbackUrl: addressOf(callee) }),
    members: files.map((file) => {
      const fileId = fileSentAs(file, sent)
      const source: Source =
        file.source === 'upload'
          ? { type: 'upload', key: keyOf(stored.get(fileId)) ?? uploadKey(factsOf(owner, fileId)) }
          : { type: 'url', url: `https://example.org/${fileId}` }
      return { fileId, filename: `${fileId}.wav`, source, estimatedSeconds: 1 }
    }),
  }
}

/** It may be what another file came with. */
function keyOf(file: UploadedFile | undefined): string | undefined {
  return file?.status === 'completed' ? file.storageKey : undefined
}

/** Uploaded and in storage before anything else happens. */
export function uploadedFile(owner: Owner, fileId: FileId): CompletedFile {
  const facts = factsOf(owner, fileId)
  return { status: 'completed', storageKey: uploadKey(facts), ...facts }
}

function factsOf(owner: Owner, fileId: FileId): FileFacts {
  const uploadId: string = fileId
  if (!isUploadId(uploadId)) throw new Error('not an id')
  return {
    fileId,
    uploadId,
    owner,
    filename: `${fileId}.wav`,
    sizeBytes: 1,
    sha256: '',
    contentType: 'audio/wav',
    durationSeconds: 1,
    acceptedAtMs: 0,
  }
}
