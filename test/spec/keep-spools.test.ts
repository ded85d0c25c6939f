import test from 'ava'
import type { ExecutionContext } from 'ava'

import { away } from '../../actors/failure.ts'
import { inHandKey } from '../../actors/ids.ts'
import type { GatewayId } from '../../actors/ids.ts'
import { openSpoolKeeper } from '../../actors/upload/keep-spools.ts'
import type { Spool, Spools } from '../../actors/upload/ports.ts'
import type { Content, GatewayLease, UploadedFile, UploadInHand, UploadRecord } from '../../actors/upload/state.ts'
import { aGatewayId, anOwner, anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const limits = { leaseMs: 30, giveUpMs: 3_600_000 }

test('a gateway starts while storage is away, and clears away later what an earlier one had streamed into it', async (t) => {
  const scene = aScene()
  const gatewayId = aGatewayId()
  await scene.leases.create(gatewayId, {})
  scene.folder.add(gatewayId)
  const left: UploadInHand = { gatewayId, owner: anOwner(), uploadId: anUploadId(), fileIds: [], isStreamed: true }
  await scene.inHand.create(inHandKey(left), left)
  scene.isStorageAway = true
  const { keeper } = await scene.open(t)
  t.is(keeper.gatewayId(), gatewayId)
  keeper.start(() => Promise.resolve())
  await eventually('it was tried', () => scene.log.lines.some(({ message }) => /broke off/.test(message)))
  t.is((await scene.inHand.keys()).length, 1)
  scene.isStorageAway = false
  await eventually('it is cleared away', async () => (await scene.inHand.keys()).length === 0)
})

test('who finds its lease with another receives in a spool of its own again, also when the broker was away meanwhile', async (t) => {
  const scene = aScene()
  const { keeper } = await scene.open(t)
  const before = keeper.gatewayId()
  scene.isBrokerAway = true
  const lease = await scene.leases.read(before)
  await scene.leases.replace(before, { holder: 'another' }, lease!.revision)
  await eventually('it noticed', () => scene.log.lines.some(({ message }) => /took over/.test(message)))
  t.is(keeper.gatewayId(), before, 'no other can be had while the broker is away')
  scene.isBrokerAway = false
  await eventually('it has another', () => keeper.gatewayId() !== before)
  t.true(scene.folder.has(keeper.gatewayId()))
})

test('a renewal that was stored though it was taken for failed loses nothing', async (t) => {
  const scene = aScene()
  const { keeper } = await scene.open(t)
  const gatewayId = keeper.gatewayId()
  const lease = await scene.leases.read(gatewayId)
  const revision = await scene.leases.replace(gatewayId, lease!.value, lease!.revision)
  await eventually('it goes on renewing', async () => (await scene.leases.read(gatewayId))!.revision > Number(revision))
  t.is(keeper.gatewayId(), gatewayId)
  t.deepEqual(scene.log.lines, [])
})

test('a spool that is given back may be taken at once', async (t) => {
  const scene = aScene()
  const { keeper } = await scene.open(t)
  await keeper.stop()
  t.deepEqual((await scene.leases.read(keeper.gatewayId()))?.value, {})
  t.is((await scene.open(t)).keeper.gatewayId(), keeper.gatewayId())
})

interface Scene {
  readonly leases: ReturnType<typeof memoryRecords<GatewayLease>>
  readonly inHand: ReturnType<typeof memoryRecords<UploadInHand>>
  readonly folder: Set<GatewayId>
  readonly log: ReturnType<typeof aLog>
  isStorageAway: boolean
  /** For making leases only. */
  isBrokerAway: boolean
  open(t: ExecutionContext): ReturnType<typeof openSpoolKeeper>
}

function aScene(): Scene {
  const leases = memoryRecords<GatewayLease>()
  const folder = new Set<GatewayId>()
  const { blobs } = aMemoryStorage()
  const nothing = (): Promise<void> => Promise.resolve()
  const refuse = (): Promise<never> => Promise.reject(away('storage_unavailable', 'away'))
  const scene: Scene = {
    leases,
    inHand: memoryRecords<UploadInHand>(),
    folder,
    log: aLog(),
    isStorageAway: false,
    isBrokerAway: false,
    async open(t) {
      const opened = await openSpoolKeeper(
        {
          files: memoryRecords<UploadedFile>(),
          uploads: memoryRecords<UploadRecord>(),
          contents: memoryRecords<Content>(),
          inHand: scene.inHand,
          listing: { append: nothing, mark: nothing, remove: nothing, page: refuse },
          blobs: { ...blobs, removeAll: (prefix) => (scene.isStorageAway ? refuse() : blobs.removeAll(prefix)) },
          faults: { point: nothing },
          log: scene.log,
          leases: {
            ...leases,
            create: (key, value) =>
              scene.isBrokerAway ? Promise.reject(away('broker_unavailable', 'away')) : leases.create(key, value),
          },
          spools: spoolsIn(folder),
          holder: { name: String(Math.random()), isGone: () => false },
          clock: aManualClock(),
          nextGatewayId: aGatewayId,
        },
        limits,
      )
      t.teardown(() => opened.keeper.stop())
      return opened
    },
  }
  return scene
}

/** Of which all are empty. */
function spoolsIn(folder: Set<GatewayId>): Spools {
  return {
    ids: () => Promise.resolve([...folder]),
    former: () => Promise.resolve(undefined),
    forgetFormer: () => Promise.resolve(),
    async open(gatewayId): Promise<Spool> {
      folder.add(gatewayId)
      return { gatewayId, recover: () => Promise.resolve([]), receive: () => Promise.reject(new Error('unused')) }
    },
    remove: (gatewayId) => Promise.resolve(folder.delete(gatewayId)),
  }
}
