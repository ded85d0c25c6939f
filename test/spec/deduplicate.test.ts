import test from 'ava'

import { inHandKey, uploadKey } from '../../actors/ids.ts'
import { firstForm, formOfFile, newestForm } from '../../actors/form.ts'
import { buryFiles } from '../../actors/purge/files.ts'
import { contentKey } from '../../actors/upload/state.ts'
import type { UploadInHand } from '../../actors/upload/state.ts'
import { endStranded } from '../../actors/upload/strand.ts'
import { aGatewayId, anOwner } from '../support/builders.ts'
import { aSharingScene, died } from '../support/shared-bytes.ts'

/** Bytes that a user sends again are stored once, and go with the last file that refers to them. */

const ways = ['spool', 'storage'] as const

for (const way of ways)
  test(`by way of ${way} the same bytes are stored once, and the second file says so`, async (t) => {
    const scene = aSharingScene()
    const [one, other] = [scene.aFile(), scene.aFile()]
    t.is((await scene.upload(one, way)).size, 0)
    t.deepEqual(await scene.upload(other, way), new Map([[other.fileId, one.fileId]]))
    t.deepEqual(scene.recordings(), [uploadKey(one)])
    t.like(await scene.fileOf(one.fileId), { status: 'completed', storageKey: uploadKey(one), isShared: true })
    t.like(await scene.fileOf(other.fileId), { status: 'completed', storageKey: uploadKey(one), isShared: true })
    t.deepEqual(await scene.contents(), [{ storageKey: uploadKey(one), holders: [one.fileId, other.fileId] }])
  })

for (const first of [0, 1])
  test(`deleting file ${first + 1} of two keeps the other; with both the object and every note of it go`, async (t) => {
    const scene = aSharingScene()
    const files = [scene.aFile(), scene.aFile()]
    for (const file of files) await scene.upload(file, 'storage')
    t.is(await scene.remove([files[first]!.fileId]), 0, 'the object is needed')
    t.deepEqual(scene.recordings(), [uploadKey(files[0]!)])
    t.is(await scene.remove([files[1 - first]!.fileId]), 1)
    t.deepEqual(scene.objects(), [])
    t.deepEqual(await scene.contents(), [])
  })

test("nobody's bytes are looked for among another user's, or under another hash", async (t) => {
  const scene = aSharingScene()
  const mine = scene.aFile()
  const theirs = scene.aFile({ owner: anOwner('b') })
  const different = scene.aFile({ sha256: '1'.repeat(64) })
  await scene.upload(mine, 'storage')
  const asked: string[] = []
  const { contents: there } = scene.ports
  const contents: typeof there = {
    ...there,
    read: (key) => (asked.push(key), there.read(key)),
    readMany: (keys) => (asked.push(...keys), there.readMany(keys)),
    create: (key, value) => (asked.push(key), there.create(key, value)),
  }
  t.is((await scene.upload(theirs, 'storage', { portsOf: () => ({ ...scene.ports, contents }) })).size, 0)
  t.deepEqual([...new Set(asked)], [contentKey(theirs)])
  t.is((await scene.upload(different, 'storage')).size, 0)
  t.is(scene.recordings().length, 3)
})

test('what is to be stored apart neither refers to others nor is referred to', async (t) => {
  const scene = aSharingScene()
  const [apart, one, other] = [scene.aFile({ isApart: true }), scene.aFile(), scene.aFile({ isApart: true })]
  for (const file of [apart, one, other]) t.is((await scene.upload(file, 'storage')).size, 0)
  t.is(scene.recordings().length, 3)
  t.is(await scene.remove([apart.fileId, other.fileId]), 2)
  t.deepEqual(scene.recordings(), [uploadKey(one)])
})

test('what is about to be deleted is not referred to any more', async (t) => {
  const scene = aSharingScene()
  const [one, other] = [scene.aFile(), scene.aFile()]
  await scene.upload(one, 'storage')
  // whoever deletes it stands still here
  await buryFiles(scene.ports, [one.fileId])
  t.is((await scene.upload(other, 'storage')).size, 0)
  await scene.remove([one.fileId])
  t.deepEqual(scene.recordings(), [uploadKey(other)])
})

test('bytes that storage has lost are stored again', async (t) => {
  const scene = aSharingScene()
  const [one, other] = [scene.aFile(), scene.aFile()]
  await scene.upload(one, 'storage')
  await scene.ports.blobs.remove(uploadKey(one))
  await scene.upload(other, 'spool')
  t.like(await scene.fileOf(other.fileId), { status: 'completed', storageKey: uploadKey(other) })
  t.deepEqual(scene.recordings(), [uploadKey(other)])
})

test('a note that only names files which are gone makes way, with the object that it names', async (t) => {
  const scene = aSharingScene()
  const [gone, one, other] = [scene.aFile(), scene.aFile(), scene.aFile()]
  await scene.ports.blobs.put(uploadKey(gone), { bytes: Buffer.from('left behind') })
  await scene.ports.contents.create(contentKey(gone), { storageKey: uploadKey(gone), holders: [gone.fileId] })
  t.is((await scene.upload(one, 'storage')).size, 0)
  t.deepEqual(await scene.upload(other, 'storage'), new Map([[other.fileId, one.fileId]]))
  t.deepEqual(scene.recordings(), [uploadKey(one)])
})

test('what a dead gateway left of an upload that was deleted since is not taken from those who refer to it', async (t) => {
  const scene = aSharingScene()
  const [one, other] = [scene.aFile(), scene.aFile()]
  const { inHand } = scene.ports
  const noticed = async (): Promise<void> => {
    await scene.upload(other, 'storage')
    await scene.remove([one.fileId])
  }
  // it dies when everything is done but that it has forgotten the upload
  const ports = { ...scene.ports, inHand: { ...inHand, remove: () => Promise.reject(died) } }
  let gateways = 0
  await scene.upload(one, 'storage', { noticed, portsOf: () => (gateways++ === 0 ? ports : scene.ports) })
  t.like(await scene.fileOf(other.fileId), { status: 'completed', storageKey: uploadKey(one) })
  t.deepEqual(scene.recordings(), [uploadKey(one)])
  t.is(await scene.remove([other.fileId]), 1)
  t.deepEqual([scene.objects(), await scene.contents(), await inHand.keys()], [[], [], []])
})

test('a note that was read before its upload came and was deleted does not clear away what others refer to', async (t) => {
  const scene = aSharingScene()
  const [one, other] = [scene.aFile(), scene.aFile()]
  const { owner, uploadId } = one
  await scene.upload(one, 'storage')
  await scene.upload(other, 'storage')
  await scene.remove([one.fileId])
  const { ports } = scene
  const late: UploadInHand = { gatewayId: aGatewayId(), owner, uploadId, fileIds: [], isStreamed: true }
  await endStranded(ports, late, 'gone')
  t.deepEqual(scene.recordings(), [uploadKey(one)])
  // of a version that knew no hashes, whose spool another took up
  const old: UploadInHand = { gatewayId: aGatewayId(), owner, uploadId, fileIds: [one.fileId] }
  await ports.inHand.create(inHandKey(old), old)
  await endStranded(ports, old, 'gone')
  t.deepEqual([scene.recordings(), await ports.inHand.keys()], [[uploadKey(one)], []])
  t.is(await scene.remove([other.fileId]), 1)
  t.deepEqual(scene.objects(), [])
})

test('files that refer to one object are of a form that versions which know nothing of it leave alone, also while they are deleted', async (t) => {
  const scene = aSharingScene()
  const files = [scene.aFile(), scene.aFile()]
  await scene.upload(files[0]!, 'storage')
  t.is(formOfFile((await scene.fileOf(files[0]!.fileId))!), firstForm)
  await scene.upload(files[1]!, 'storage')
  await buryFiles(scene.ports, [files[0]!.fileId])
  for (const { fileId } of files) t.is(formOfFile((await scene.fileOf(fileId))!), newestForm)
})

test('an older version that deleted some of those that refer to an object leaves it to the last', async (t) => {
  const scene = aSharingScene()
  const files = Array.from({ length: 20 }, () => scene.aFile())
  for (const file of files) await scene.upload(file, 'spool')
  // without leaving the set
  for (const { fileId } of files.slice(0, -1)) await scene.ports.files.remove(fileId)
  t.is(await scene.remove([files.at(-1)!.fileId]), 1)
  t.deepEqual([scene.recordings(), await scene.contents()], [[], []])
})
