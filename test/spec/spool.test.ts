import { readFile, readdir } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

import test from 'ava'

import type { FileId } from '../../actors/ids.ts'
import type { Reception, Room, Spool } from '../../actors/upload/ports.ts'
import type { Manifest } from '../../actors/upload/state.ts'
import { openHashing } from '../../infra/spool/hashing.ts'
import { openSpool } from '../../infra/spool/spool.ts'
import { aFileId, aGatewayId, anOwner, anUploadId, someFacts } from '../support/builders.ts'
import { aFolder } from '../support/folder.ts'
import { aSmallDisk, testWithSmallDisk } from '../support/small-disk.ts'

const kibibyte = 1024
const testOnSmallDisk = await testWithSmallDisk()
const hashing = openHashing()
test.after.always(() => hashing.close())

/** All there is, as if nobody had looked at the disk before. */
const room: Room = { check: () => Promise.resolve(), pass: (source) => source }
const uploadId = anUploadId()

function spoolIn(folder: string): Spool {
  return openSpool({ gatewayId: aGatewayId(), folder, room, hashing })
}

function receive(spool: Spool): Promise<Reception> {
  return spool.receive({ uploadId, owner: anOwner(), expectedBytes: 0 })
}

async function* arriving(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 64 * kibibyte) {
    await setImmediate()
    yield content.subarray(at, at + 64 * kibibyte)
  }
}

function aManifest(fileIds: readonly FileId[]): Manifest {
  const files = fileIds.map((fileId) => someFacts({ fileId, uploadId }))
  return { uploadId, owner: anOwner(), acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: '', files }
}

for (const size of [0, 300 * kibibyte, 1024 * kibibyte, 1025 * kibibyte, 3000 * kibibyte])
  test(`a file of ${size} bytes can be looked at as soon as it has come, and is on disk when it is accepted`, async (t) => {
    const spool = spoolIn(await aFolder(t))
    const reception = await receive(spool)
    const [content, fileId] = [Buffer.alloc(size, 'नमस्ते'), aFileId()]
    t.is((await reception.write(fileId, arriving(content))).sizeBytes, size)
    const seen = (): Promise<Buffer> => reception.look(fileId, (bytes) => bytes.read(0, bytes.sizeBytes))
    t.true(content.equals(await seen()))
    t.true(content.equals(await seen()), 'who looks again sees the same')
    const end = await reception.look(fileId, (bytes) => bytes.read(Math.max(0, size - 5), 100))
    t.true(content.subarray(-5).equals(end), 'nothing is behind its end')
    const upload = await reception.commit(aManifest([fileId]))
    t.true(content.equals(await readFile(upload.pathOf(fileId))))
    const [found] = await spool.recover({ isWriterGone: true })
    t.deepEqual(found?.manifest, aManifest([fileId]))
    t.is(found?.phase, 'committed')
  })

test('what an upload has come to is found again after a crash', async (t) => {
  const spool = spoolIn(await aFolder(t))
  const reception = await receive(spool)
  const upload = await reception.commit(aManifest([]))
  for (const phase of ['recorded', 'abandoned', 'committed'] as const) {
    await upload.enter(phase)
    const [found] = await spool.recover({ isWriterGone: true })
    t.is(found?.phase, phase === 'committed' ? 'recorded' : phase)
  }
})

test('more small files than are on their way at the same time are all kept', async (t) => {
  const spool = spoolIn(await aFolder(t))
  const reception = await receive(spool)
  const contents = new Map(Array.from({ length: 40 }, (_, index) => [aFileId(), Buffer.alloc(1 + index, `${index}`)]))
  for (const [fileId, content] of contents) await reception.write(fileId, arriving(content))
  const upload = await reception.commit(aManifest([...contents.keys()]))
  for (const [fileId, content] of contents) t.true(content.equals(await readFile(upload.pathOf(fileId))))
})

testOnSmallDisk('a small file that the disk has no room for is refused before anything is accepted', async (t) => {
  const folder = await aSmallDisk(t, 512 * kibibyte)
  const reception = await receive(spoolIn(folder))
  const fileIds = [aFileId(), aFileId()]
  const accept = async (): Promise<unknown> => {
    for (const fileId of fileIds) await reception.write(fileId, arriving(Buffer.alloc(400 * kibibyte)))
    return reception.commit(aManifest(fileIds))
  }
  await t.throwsAsync(accept, { message: /no room left/ })
  await reception.discard()
  t.deepEqual(await readdir(folder), [])
})

testOnSmallDisk('a small file is not called broken because the disk had no room for it', async (t) => {
  const reception = await receive(spoolIn(await aSmallDisk(t, 512 * kibibyte)))
  const [content, fileId] = [Buffer.alloc(600 * kibibyte, 'नमस्ते'), aFileId()]
  await reception.write(fileId, arriving(content))
  await t.throwsAsync(reception.commit(aManifest([fileId])), { message: /no room left/ })
  t.true(content.equals(await reception.look(fileId, (bytes) => bytes.read(0, bytes.sizeBytes))))
  await reception.discard()
})
