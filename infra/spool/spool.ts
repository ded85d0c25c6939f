import { access, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { away } from '../../actors/failure.ts'
import { isFileId, isUploadId } from '../../actors/ids.ts'
import type { FileId, UploadId } from '../../actors/ids.ts'
import type { Log } from '../../actors/ports.ts'
import type { Reception, Spool, SpooledUpload, SpoolPhase } from '../../actors/upload/ports.ts'
import type { Manifest } from '../../actors/upload/state.ts'
import { classify } from './classify.ts'
import { removeDurably, syncFolder, writeDurably } from './durable.ts'
import { writeFile } from './write-file.ts'

const incoming = 'incoming-'
const manifestName = 'manifest.json'

/**
 * One folder an upload. While it is received its name begins with `incoming-`; the rename that takes this away is the
 * moment of acceptance. The phase is a marker file beside the manifest. A folder belongs to one gateway process.
 */
export async function openSpool(input: { folder: string; reserveBytes: number; log: Log }): Promise<Spool> {
  await mkdir(input.folder, { recursive: true, mode: 0o700 })
  return {
    async receive(uploadId, expectedBytes) {
      await checkRoom(input, expectedBytes)
      return openReception(input.folder, uploadId)
    },
    async recover() {
      const names = (await readdir(input.folder)).sort()
      for (const name of names.filter((one) => one.startsWith(incoming)))
        await rm(join(input.folder, name), { recursive: true, force: true })
      const found = await Promise.all(names.filter(isUploadId).map((name) => reopen(input.folder, name)))
      return found.filter((upload) => upload !== undefined)
    },
  }
}

async function checkRoom(input: { folder: string; reserveBytes: number }, expectedBytes: number): Promise<void> {
  const disk = await statfs(input.folder)
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes - input.reserveBytes >= expectedBytes) return
  throw away(
    'disk_full',
    `This server has no room for an upload of ${expectedBytes} bytes at the moment. Nothing was kept; try again later.`,
  )
}

async function openReception(folder: string, uploadId: UploadId): Promise<Reception> {
  const receiving = join(folder, incoming + uploadId)
  const pathOf = (fileId: FileId): string => join(receiving, fileId)
  const safe = new Map<FileId, Promise<void>>()
  await mkdir(receiving, { mode: 0o700 })

  return {
    async write(fileId, source) {
      try {
        const written = await writeFile(pathOf(fileId), source)
        safe.set(fileId, written.safe)
        return { sizeBytes: written.sizeBytes, sha256: written.sha256 }
      } catch (error) {
        throw classify(error)
      }
    },
    pathOf,
    async drop(fileId) {
      await Promise.allSettled([safe.get(fileId)])
      safe.delete(fileId)
      await rm(pathOf(fileId), { force: true })
    },
    async commit(manifest) {
      try {
        await Promise.all(safe.values())
        await writeDurably(join(receiving, manifestName), JSON.stringify(manifest))
        await rename(receiving, join(folder, uploadId))
        await syncFolder(folder)
      } catch (error) {
        throw classify(error)
      }
      return openUpload(folder, manifest, 'committed')
    },
    async discard() {
      await Promise.allSettled(safe.values())
      await rm(receiving, { recursive: true, force: true })
    },
  }
}

async function reopen(folder: string, uploadId: UploadId): Promise<SpooledUpload | undefined> {
  const names = await readdir(join(folder, uploadId))
  // `finish` removes the manifest first: without one, everything was done
  if (!names.includes(manifestName)) {
    await removeDurably(join(folder, uploadId))
    return undefined
  }
  // as: this process's predecessor wrote it, and the rename that made it visible came after its last byte
  const manifest = JSON.parse(await readFile(join(folder, uploadId, manifestName), 'utf8')) as Manifest
  const phase = (['abandoned', 'recorded'] as const).find((marker) => names.includes(marker)) ?? 'committed'
  return openUpload(folder, manifest, phase)
}

function openUpload(folder: string, manifest: Manifest, initialPhase: SpoolPhase): SpooledUpload {
  const here = join(folder, manifest.uploadId)
  const pathOf = (fileId: FileId): string => {
    if (!isFileId(fileId)) throw new Error('not a file id')
    return join(here, fileId)
  }
  let phase = initialPhase
  return {
    manifest,
    get phase() {
      return phase
    },
    pathOf,
    async holds(fileId) {
      return access(pathOf(fileId)).then(
        () => true,
        () => false,
      )
    },
    async enter(next) {
      try {
        if (next === 'committed') await removeDurably(join(here, 'abandoned'))
        else await writeDurably(join(here, next), '')
      } catch (error) {
        throw classify(error)
      }
      phase = next
    },
    async release(fileId) {
      await rm(pathOf(fileId), { force: true })
    },
    async finish() {
      await removeDurably(join(here, manifestName))
      await removeDurably(here)
    },
  }
}
