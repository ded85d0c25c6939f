import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import { v7 as uuidV7 } from 'uuid'

import { openKey } from '../../actors/batch/state.ts'
import type { BatchRecord, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { openBatches } from '../../actors/batch/submit.ts'
import type { Claim } from '../../actors/claim/state.ts'
import { FailureError, away } from '../../actors/failure.ts'
import { isBatchId } from '../../actors/ids.ts'
import type { BatchId } from '../../actors/ids.ts'
import type { Clock } from '../../actors/ports.ts'
import type { SpooledUpload } from '../../actors/upload/ports.ts'
import type { Owed, QueueCommand } from '../../actors/upload/queue.ts'
import { openLeases } from '../../actors/upload/leases.ts'
import type { Content, GatewayLease, UploadedFile, UploadInHand, UploadRecord } from '../../actors/upload/state.ts'
import { beginOwed } from '../../actors/upload/transfer.ts'
import type { TransferPorts } from '../../actors/upload/transfer.ts'
import { underClaim } from '../../gateway/idempotency.ts'
import type { Request } from '../../gateway/route.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { aBatch, bits } from '../support/batch-builders.ts'
import { aBatchListing } from '../support/batch-listing.ts'
import { aBatchId, aFile, aGatewayId, anOwner, anUploadId } from '../support/builders.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { noBacklog } from '../support/no-backlog.ts'
import { aSpooledUpload } from '../support/spooled-upload.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

/** The wall clock of this machine beside the right one of the broker: it is wrong by so much. */
function wrongBy(offMs: number, broker: ManualClock): Clock {
  return { nowMs: () => broker.nowMs() + offMs, elapsedMs: () => broker.elapsedMs() }
}

for (const [words, offMs] of [
  ['fast', 5 * hourMs],
  ['slow', -5 * hourMs],
] as const) {
  const clocks = (): { broker: ManualClock; clock: Clock } => {
    const broker = aManualClock()
    return { broker, clock: wrongBy(offMs, broker) }
  }

  test(`with a clock that is hours ${words} an idempotency key is taken over a minute after its last renewal, and not before`, async (t) => {
    const { broker } = clocks()
    const claims = memoryRecords<Claim>(() => broker.nowMs())
    const take = (gatewayId: string) =>
      underClaim(
        claimPorts(claims, gatewayId),
        { scope: 'upload', request: aRequest(), id: anUploadId() },
        async (claim) => {
          if (claim && 'held' in claim) claim.held.leave()
          return { status: 202, body: {} }
        },
      )
    await take('one')
    broker.advance(minuteMs)
    await t.throwsAsync(take('two'), { message: /still being received/ })
    broker.advance(1)
    t.is((await take('two')).status, 202)
  })

  test(`with a clock that is hours ${words} what a submission reserved stays while it may still come, and lapses after ten minutes`, async (t) => {
    const scene = aScene(clocks())
    const { owner, batchId } = { owner: anOwner(), batchId: madeAt(scene.clock.nowMs()) }
    await scene.records.open.create(openKey({ owner, batchId }), { owner, batchId })
    await scene.records.quotas.create(owner, { reserved: { [batchId]: { files: 1, seconds: 1 } } })
    const submit = () => scene.batches.submit(anOrder())
    scene.broker.advance(10 * minuteMs - 1)
    await t.throwsAsync(submit(), { instanceOf: FailureError, message: /quota_exceeded/ })
    scene.broker.advance(1)
    await t.notThrowsAsync(submit())
  })

  test(`with a clock that is hours ${words} a retry that never came keeps others away for ten minutes`, async (t) => {
    const scene = aScene(clocks())
    const lost = madeAt(scene.clock.nowMs())
    const batch = aBatch({ total: 1, failed: bits(0), finishedAtMs: 0, retriedAs: lost })
    await scene.records.batches.create(batch.batchId, batch)
    await scene.records.members.create(`${batch.batchId}.0`, { files: anOrder().members })
    const retry = () => scene.batches.retry(batch, aBatchId())
    scene.broker.advance(10 * minuteMs - 1)
    await t.throwsAsync(retry(), { message: /being worked on/ })
    scene.broker.advance(1)
    t.is((await retry()).batch.retryOf, batch.batchId)
  })

  test(`with a clock that is hours ${words} a retry of one file that never came keeps others away for ten minutes`, async (t) => {
    const scene = aScene(clocks())
    const retriedApart = [{ as: madeAt(scene.clock.nowMs()), files: bits(0) }]
    const batch = aBatch({ total: 1, failed: bits(0), finishedAtMs: 0, retriedApart })
    await scene.records.batches.create(batch.batchId, batch)
    const { members } = anOrder()
    await scene.records.members.create(`${batch.batchId}.0`, { files: members })
    const retry = () => scene.batches.retry(batch, aBatchId(), new Set([members[0]!.fileId]))
    scene.broker.advance(10 * minuteMs - 1)
    await t.throwsAsync(retry(), { message: /tried again already/ })
    scene.broker.advance(1)
    t.is((await retry()).batch.retryOf, batch.batchId)
  })

  test(`a wall clock that goes ${words} by hours ends no upload that storage does not take`, async (t) => {
    const elapsed = aManualClock()
    let jumpedMs = 0
    const scene = aTransfer({ nowMs: () => elapsed.nowMs() + jumpedMs, elapsedMs: () => elapsed.elapsedMs() })
    await scene.run()
    jumpedMs = offMs
    await scene.run()
    t.is(await scene.status(), 'uploading')
    elapsed.advance(giveUpMs)
    await scene.run()
    t.is(await scene.status(), 'failed')
  })

  test(`with a clock that is hours ${words} a gateway is replaced when it has not been heard of for the time of a lease`, async (t) => {
    const { broker, clock } = clocks()
    const records = memoryRecords<GatewayLease>(() => broker.nowMs())
    const open = (name: string) => openLeases({ leases: records, clock, holder: { name, isGone: () => false } })
    const [living, observer] = [open('living'), open('observer')]
    const gatewayId = aGatewayId()
    await living.create(gatewayId)
    const ageMs = async () => (await observer.others())[0]?.ageMs
    t.is(await ageMs(), 0)
    broker.advance(minuteMs)
    t.is(await ageMs(), minuteMs)
    t.deepEqual(await living.renew(), [])
    t.is(await ageMs(), 0)
    const [seen] = await observer.others()
    t.true(await observer.take(seen!))
    t.deepEqual(await living.renew(), [gatewayId])
    t.false(living.holds(gatewayId))
  })

  test.serial(
    `with a clock that is hours ${words} what another machine writes to the same disk is left alone`,
    async (t) => {
      const folder = await aFolder(t)
      const incoming = join(folder, 'incoming')
      await mkdir(incoming)
      await writeFile(join(incoming, '0123456789abcdef.1.5.x'), 'half')
      const right = Date.now
      Date.now = () => right() + offMs
      t.teardown(() => {
        Date.now = right
      })
      await openDiskBlobs({ folder, log: aLog() })
      t.is((await readdir(incoming)).length, 1)
    },
  )
}

function claimPorts(claims: ReturnType<typeof memoryRecords<Claim>>, gatewayId: string) {
  return {
    claims,
    identity: { gatewayId: () => gatewayId, bootId: gatewayId },
    holding: new Set<never>(),
    log: aLog(),
    answerOf: () => Promise.resolve(undefined),
    withdraw: () => Promise.resolve(undefined),
  }
}

function aRequest(): Request {
  const request: Pick<Request, 'principal' | 'header'> = {
    principal: principalOf('issuer', 'asha'),
    header: () => 'key-1',
  }
  return request as Request // as: a claim looks at nothing else
}

function madeAt(atMs: number): BatchId {
  const id = uuidV7({ msecs: atMs })
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

function aScene({ broker, clock }: { broker: ManualClock; clock: Clock }) {
  const records = {
    batches: memoryRecords<BatchRecord>(() => broker.nowMs()),
    members: memoryRecords<Members>(() => broker.nowMs()),
    open: memoryRecords<OpenBatch>(() => broker.nowMs()),
    waiting: memoryRecords<WaitingBatch>(() => broker.nowMs()),
    quotas: memoryRecords<Quota>(() => broker.nowMs()),
    batchListing: aBatchListing(),
  }
  const reports = { toBatch: () => Promise.resolve() }
  const faults = { point: () => Promise.resolve() }
  const ports = { ...records, reports, blobs: aMemoryStorage().blobs, backlog: noBacklog, clock, faults, log: aLog() }
  const batches = openBatches(ports, { queueMaxFiles: 10, quotaFiles: 1, quotaAudioSeconds: 0 })
  return { broker, clock, records, batches }
}

function anOrder() {
  const source = { type: 'upload', key: 'uploads/a' } as const
  const members = [{ fileId: aFile('completed').fileId, filename: 'a.wav', source, estimatedSeconds: 10 }]
  return { batchId: aBatchId(), owner: anOwner(), settings: { script: 'native', channels: 'mix' }, members } as const
}

const giveUpMs = minuteMs

/** One file that storage does not take, tried whenever the test says so. */
function aTransfer(clock: Clock) {
  const file = aFile('pending')
  const upload: SpooledUpload = {
    ...aSpooledUpload(file),
    isStored: false,
    phase: 'recorded',
    holds: () => Promise.resolve(true),
  }
  const files = memoryRecords<UploadedFile>()
  const refuse = (): Promise<never> => Promise.reject(away('storage_unavailable', 'away'))
  const nothing = (): Promise<void> => Promise.resolve()
  const ports: TransferPorts = {
    files,
    uploads: memoryRecords<UploadRecord>(),
    contents: memoryRecords<Content>(),
    inHand: memoryRecords<UploadInHand>(),
    claims: memoryRecords<Claim>(),
    listing: { append: nothing, mark: nothing, remove: nothing, page: refuse },
    blobs: { ...aMemoryStorage().blobs, put: refuse },
    faults: { point: nothing },
    log: aLog(),
    clock,
    random: () => 0,
  }
  let owed: Owed = { upload, facts: file, attempt: 1 }
  const tell = (command: QueueCommand): void => {
    if ('owed' in command) owed = command.owed
  }
  return {
    async run() {
      await files.create(file.fileId, file)
      await new Promise<void>((resolve) => {
        const underWay = {
          isDraining: false,
          track: (step: Promise<void>) => void step.then(resolve),
          later: () => undefined,
          drain: nothing,
        }
        beginOwed(
          { ports, options: { giveUpMs, firstRetryMs: 1, lastRetryMs: 1 }, underWay, tell },
          { type: 'Run', owed },
        )
      })
    },
    status: async () => (await files.read(file.fileId))?.value.status,
  }
}
