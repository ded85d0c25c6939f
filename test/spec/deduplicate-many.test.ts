import test from 'ava'

import { uploadKey } from '../../actors/ids.ts'
import type { FileId } from '../../actors/ids.ts'
import type { BatchRecord, Members, WaitingBatch } from '../../actors/batch/state.ts'
import type { Purge } from '../../actors/purge/state.ts'
import { createRetaining } from '../../actors/retention/retention.ts'
import { msPerDay } from '../../actors/retention/state.ts'
import type { Expiry, RetentionPlace } from '../../actors/retention/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import { holdersMax } from '../../actors/upload/contents.ts'
import { storedAt } from '../../actors/upload/decide.ts'
import { storeSidecar } from '../../actors/upload/sidecar.ts'
import { contentKey } from '../../actors/upload/state.ts'
import type { FileFacts } from '../../actors/upload/state.ts'
import { createRandom } from '../sim/random.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { aSharingScene } from '../support/shared-bytes.ts'
import type { SharingScene } from '../support/shared-bytes.ts'

/** As many files refer to one object as may, and they go in any order, by their users or in time. */

/** As if they had come one after the other. */
async function aFullSet(scene: SharingScene, count = holdersMax): Promise<readonly FileFacts[]> {
  const { ports } = scene
  const files = Array.from({ length: count }, () => scene.aFile())
  const [first] = files as [FileFacts]
  const storageKey = uploadKey(first)
  await ports.blobs.put(storageKey, { bytes: Buffer.alloc(first.sizeBytes) })
  for (const file of files) {
    await ports.files.create(file.fileId, { ...storedAt(file, storageKey), isShared: true })
    await storeSidecar(ports.blobs, file, storageKey)
  }
  const holders = files.map(({ fileId }) => fileId)
  await ports.contents.create(contentKey(first), { storageKey, holders })
  return files
}

/** Calls of every port since it was last asked. */
function counted(scene: SharingScene): { readonly ports: SharingScene['ports']; readonly take: () => number } {
  let calls = 0
  const count = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        calls += 1
        return Reflect.get(target, name)
      },
    })
  const { contents, files, blobs } = scene.ports
  return {
    ports: { ...scene.ports, contents: count(contents), files: count(files), blobs: count(blobs) },
    take: () => [calls, (calls = 0)][0]!,
  }
}

/** Whatever the set holds; a handful more are no matter. */
const callsMax = 40

test('the last that fits joins, the next is stored by itself, and neither looks at all the others', async (t) => {
  const scene = aSharingScene()
  const [first] = (await aFullSet(scene, holdersMax - 1)) as [FileFacts]
  const { ports, take } = counted(scene)
  const [last, next] = [scene.aFile(), scene.aFile()]
  await scene.upload(last, 'spool', { portsOf: () => ports })
  t.true(take() <= callsMax)
  await scene.upload(next, 'spool', { portsOf: () => ports })
  t.true(take() <= callsMax)
  t.like(await scene.fileOf(last.fileId), { storageKey: uploadKey(first) })
  t.like(await scene.fileOf(next.fileId), { storageKey: uploadKey(next) })
  const [content] = await scene.contents()
  t.is(content?.holders.length, holdersMax)
  t.is(await scene.remove([next.fileId]), 1)
  t.deepEqual(scene.recordings(), [uploadKey(first)])
})

const together = 5
/** Enough for an order. */
const someHolders = 150

const orders: Record<string, (files: readonly FileFacts[]) => FileFacts[]> = {
  'the first first': (files) => [...files],
  'the last first': (files) => files.toReversed(),
  'in no order': (files) => {
    const random = createRandom(60, 'order')
    return files
      .map((file) => ({ file, at: random.next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ file }) => file)
  },
}

for (const [name, order] of Object.entries(orders))
  test(`a large set that goes ${name}, several at a time, keeps its object to the last and leaves nothing`, async (t) => {
    const scene = aSharingScene()
    const files = order(await aFullSet(scene, someHolders))
    const kept = scene.recordings()
    for (let from = 0; from < files.length; from += together) {
      t.deepEqual(scene.recordings(), kept)
      const group = files.slice(from, from + together)
      await Promise.all(group.map(({ fileId }) => scene.remove([fileId])))
    }
    t.deepEqual([scene.objects(), await scene.contents()], [[], []])
  })

test('a full set that goes at once costs no more for each than one by itself', async (t) => {
  const scene = aSharingScene()
  const ids: FileId[] = (await aFullSet(scene)).map(({ fileId }) => fileId)
  const { ports, take } = counted(scene)
  t.is(await scene.remove(ids, () => ports), 1)
  t.true(take() <= callsMax * ids.length)
  t.deepEqual([scene.objects(), await scene.contents()], [[], []])
})

test('recordings that share go in time one after the other, and their bytes with the last', async (t) => {
  const broker = aManualClock()
  const nowMs = (): number => broker.nowMs()
  const scene = aSharingScene(nowMs)
  const purges = memoryRecords<Purge>()
  const retaining = createRetaining(
    {
      batches: memoryRecords<BatchRecord>(),
      members: memoryRecords<Members>(),
      waiting: memoryRecords<WaitingBatch>(),
      runs: memoryRecords<RunState>(),
      files: scene.ports.files,
      purges,
      expiries: memoryRecords<Expiry>(),
      retentionPlaces: memoryRecords<RetentionPlace>(),
      blobs: scene.ports.blobs,
      clock: aManualClock(),
      lease: { hold: () => Promise.resolve(true), release: () => Promise.resolve() },
      pause: () => Promise.resolve(),
    },
    { audio: 3 * msPerDay, results: 0, records: 0 },
  )
  const files = [scene.aFile(), scene.aFile(), scene.aFile()]
  for (const file of files) {
    await scene.upload(file, 'storage')
    broker.advance(msPerDay)
  }
  const stays = async (): Promise<number[]> => {
    await retaining.apply()
    for (const id of await purges.keys()) await scene.remove((await purges.read(id))!.value.fileIds)
    const found = await Promise.all(files.map(({ fileId }) => scene.fileOf(fileId)))
    return [...found.entries()].flatMap(([at, file]) => (file?.status === 'completed' ? at : []))
  }
  broker.advance(1)
  t.deepEqual(await stays(), [0, 1, 2], 'that the same bytes came on the second day begins the time of the first anew')
  broker.advance(msPerDay)
  t.deepEqual(await stays(), [2], 'that they came once more does not')
  t.deepEqual(scene.recordings(), [uploadKey(files[0]!)])
  broker.advance(msPerDay)
  t.deepEqual(await stays(), [])
  t.deepEqual([scene.objects(), await scene.contents()], [[], []])
})
