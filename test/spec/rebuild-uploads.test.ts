import test from 'ava'

import { uploadKey } from '../../actors/ids.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { ListedFile } from '../../actors/listing/ports.ts'
import { buryFiles } from '../../actors/purge/files.ts'
import { eraseUpload } from '../../actors/upload/contents.ts'
import { rebuildUploads } from '../../actors/upload/rebuild.ts'
import { removeUpload, sidecarKey, storeSidecar } from '../../actors/upload/sidecar.ts'
import { contentKey } from '../../actors/upload/state.ts'
import type { Content, FileFacts, UploadRecord, UploadedFile } from '../../actors/upload/state.ts'
import { anOwner, anUploadId, someFacts } from '../support/builders.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { watchedBlobs } from '../support/watched-blobs.ts'

const content = Buffer.from('speech')

function aScene() {
  const listed = new Map<FileId, ListedFile>()
  const append = async (_: Owner, files: readonly ListedFile[]): Promise<void> =>
    files.forEach((file) => listed.set(file.fileId, file))
  const never = () => Promise.reject(new Error('nobody asks for this'))
  const ports = {
    files: memoryRecords<UploadedFile>(),
    uploads: memoryRecords<UploadRecord>(),
    contents: memoryRecords<Content>(),
    listing: { append, mark: never, remove: never, page: never },
    blobs: watchedBlobs(),
    log: silentLog,
  }
  const rebuild = () => rebuildUploads(ports, () => undefined)
  return { ...ports, listed, rebuild }
}

function facts(more: Partial<FileFacts> = {}): FileFacts {
  return someFacts({ sizeBytes: content.length, ...more })
}

async function store({ blobs }: ReturnType<typeof aScene>, file: FileFacts): Promise<void> {
  await blobs.put(uploadKey(file), { bytes: content })
  await storeSidecar(blobs, file)
}

test('files of one upload come back with their facts, under their upload, and are listed', async (t) => {
  const scene = aScene()
  const uploadId = anUploadId()
  const all = [facts({ uploadId }), facts({ uploadId, durationSeconds: null })]
  for (const file of all) await store(scene, file)
  t.deepEqual(await scene.rebuild(), { restored: 2, known: 0, deleted: 0, unusable: 0 })
  for (const file of all)
    t.deepEqual((await scene.files.read(file.fileId))?.value, {
      ...file,
      status: 'completed',
      storageKey: uploadKey(file),
    })
  t.deepEqual(
    [...((await scene.uploads.read(uploadId))?.value.fileIds ?? [])].sort(),
    all.map(({ fileId }) => fileId).sort(),
  )
  t.is(scene.listed.size, 2)
  t.deepEqual(await scene.rebuild(), { restored: 0, known: 2, deleted: 0, unusable: 0 })
})

test('a record that does not know yet that its file is stored learns it, and any other stays', async (t) => {
  const scene = aScene()
  const uploading = facts()
  const failed = facts()
  for (const file of [uploading, failed]) await store(scene, file)
  await scene.files.create(uploading.fileId, { ...uploading, status: 'uploading' })
  await scene.files.create(failed.fileId, { ...failed, status: 'failed', reason: 'too late' })
  t.like(await scene.rebuild(), { restored: 1, known: 1 })
  t.is((await scene.files.read(uploading.fileId))?.value.status, 'completed')
  t.is((await scene.files.read(failed.fileId))?.value.status, 'failed')
  t.is(scene.listed.get(failed.fileId)?.status, 'failed')
})

test('what was deleted, or is about to be, is not listed again', async (t) => {
  const scene = aScene()
  const purging = facts()
  const removed = facts()
  for (const file of [purging, removed]) await store(scene, file)
  await scene.files.create(purging.fileId, { ...purging, status: 'purging' })
  await scene.files.create(removed.fileId, { ...removed, status: 'pending' })
  await scene.files.remove(removed.fileId)
  t.like(await scene.rebuild(), { restored: 0, deleted: 2 })
  t.is(scene.listed.size, 0)
})

test('a sidecar without its bytes, damaged, of a newer version, or of another file is counted and left out', async (t) => {
  const scene = aScene()
  const [lost, cut, damaged, newer, foreign] = Array.from({ length: 5 }, () => facts())
  await storeSidecar(scene.blobs, lost!)
  await store(scene, { ...cut!, sizeBytes: 1_000 })
  for (const file of [damaged!, newer!, foreign!]) await store(scene, file)
  await scene.blobs.put(sidecarKey(damaged!), { bytes: Buffer.from('{"version":1,"fileId"') })
  await scene.blobs.put(sidecarKey(newer!), { bytes: Buffer.from(JSON.stringify({ ...newer, version: 2 })) })
  await scene.blobs.put(sidecarKey(foreign!), { bytes: Buffer.from(JSON.stringify({ ...lost, version: 1 })) })
  t.deepEqual(await scene.rebuild(), { restored: 0, known: 0, deleted: 0, unusable: 5 })
})

test('of a removed upload nothing is left, and its sidecar goes first', async (t) => {
  const scene = aScene()
  const file = facts()
  await store(scene, file)
  const order: string[] = []
  const { blobs } = scene
  const watched = { ...blobs, remove: (key: string) => (order.push(key), blobs.remove(key)) }
  t.true(await removeUpload(watched, file))
  t.deepEqual(order, [sidecarKey(file), uploadKey(file)])
  t.false(await removeUpload(watched, file))
})

for (const order of ['after', 'before'])
  test(`a file that refers to what another came with comes back so, also where it is found ${order} that one, and each outlives the other`, async (t) => {
    const scene = aScene()
    const uploadIds = [anUploadId(), anUploadId()]
    if (order === 'before') uploadIds.reverse()
    const [first, second] = uploadIds.map((uploadId) => facts({ uploadId }))
    if (!first || !second) return t.fail()
    await store(scene, first)
    await storeSidecar(scene.blobs, second, uploadKey(first))
    t.like(await scene.rebuild(), { restored: 2, unusable: 0 })
    t.like(await scene.rebuild(), { known: 2, unusable: 0 })
    t.like((await scene.files.read(second.fileId))?.value, { status: 'completed', storageKey: uploadKey(first) })
    const held = (await scene.contents.read(contentKey(second)))?.value
    t.deepEqual(held, { storageKey: uploadKey(first), holders: [first.fileId, second.fileId] })
    await buryFiles(scene, [first.fileId])
    t.is(await eraseUpload(scene, first), 0)
    t.is((await scene.blobs.stat(uploadKey(first)))?.sizeBytes, content.length)
    await buryFiles(scene, [second.fileId])
    t.is(await eraseUpload(scene, second), 1)
  })

test('a file that refers to what is gone, or is not of its user, is counted and left out', async (t) => {
  const scene = aScene()
  const gone = facts()
  const theirs = facts({ owner: anOwner('b') })
  await store(scene, theirs)
  const left = [
    [facts(), uploadKey(gone)],
    [facts(), uploadKey(theirs)],
  ] as const
  for (const [file, key] of left) await storeSidecar(scene.blobs, file, key)
  t.like(await scene.rebuild(), { restored: 1, unusable: 2 })
  for (const [file] of left) t.is(await scene.files.read(file.fileId), undefined)
})
