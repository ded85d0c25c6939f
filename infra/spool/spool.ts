import { access, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { isFileId, isUploadId } from '../../actors/ids.ts'
import type { FileId, GatewayId, UploadId } from '../../actors/ids.ts'
import type { Hashing, Reception, Room, Spool, SpooledUpload, SpoolPhase } from '../../actors/upload/ports.ts'
import type { Manifest } from '../../actors/upload/state.ts'
import { syncFolder } from '../blobs/durable-folders.ts'
import { timeOfDisk } from '../blobs/staging.ts'
import { codeOf } from '../process/error-code.ts'
import { bytesInMemory, withOpenFile } from '../speech/audio/header/file-bytes.ts'
import { classify } from './classify.ts'
import { markDurably, removeDurably, writeSynced } from './durable.ts'
import { writeFile } from './write-file.ts'
import type { WrittenFile } from './write-file.ts'

export const incoming = 'incoming-'
export const manifestName = 'manifest.json'
/** Longer than the slowest client that is not cut off takes to fill what is written at once. */
const unwrittenForMs = 60 * 60_000
/** Of one upload at the same time: a small file is in memory until it is safe. */
const unsafeMax = 8

interface SpoolOptions {
  readonly gatewayId: GatewayId
  readonly folder: string
  readonly room: Room
  readonly hashing: Hashing
}

/**
 * One folder an upload. While it is received its name begins with `incoming-`; the rename that takes this away is the
 * moment of acceptance. The phase is a marker file beside the manifest. Two gateways may have it for a while, when one was taken for
 * dead: what one of them has finished is no mistake to the other.
 */
export function openSpool(options: SpoolOptions): Spool {
  const { gatewayId, folder } = options
  return {
    gatewayId,
    async receive({ uploadId, expectedBytes }) {
      try {
        await options.room.check(expectedBytes)
        return await openReception(options, uploadId)
      } catch (error) {
        throw classify(error)
      }
    },
    async recover({ isWriterGone }) {
      const names = (await readdir(folder)).sort()
      for (const name of names.filter((one) => one.startsWith(incoming))) {
        const path = join(folder, name)
        if (isWriterGone || !(await isWrittenTo(path))) await rm(path, { recursive: true, force: true })
      }
      const found = await Promise.all(names.filter(isUploadId).map((name) => reopen(options, name)))
      return found.filter((upload) => upload !== undefined)
    },
  }
}

/** By the clock of the disk: ours may be another one, and hours off (I11). */
async function isWrittenTo(folder: string): Promise<boolean> {
  const nowMs = await timeOfDisk(dirname(folder))
  const names = await readdir(folder).catch(() => [])
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const facts = await stat(path).catch(() => undefined)
    if (facts && nowMs - facts.ctimeMs < unwrittenForMs) return true
  }
  return false
}

async function openReception(
  { gatewayId, folder, room, hashing }: SpoolOptions,
  uploadId: UploadId,
): Promise<Reception> {
  const receiving = join(folder, incoming + uploadId)
  const pathOf = (fileId: FileId): string => join(receiving, fileId)
  const safe = new Map<FileId, Promise<void>>()
  const unsafe = new Map<FileId, WrittenFile>()
  let described: Promise<void> = Promise.resolve()
  await mkdir(receiving, { mode: 0o700 })

  return {
    async write(fileId, source) {
      try {
        const written = await writeFile(hashing, pathOf(fileId), room.pass(source))
        safe.set(fileId, written.safe)
        await makeSafe(unsafe, fileId, written)
        return { sizeBytes: written.sizeBytes, sha256: written.sha256 }
      } catch (error) {
        throw classify(error)
      }
    },
    async look(fileId, use) {
      const whole = unsafe.get(fileId)?.whole
      try {
        return await (whole ? use(bytesInMemory(whole)) : withOpenFile(pathOf(fileId), use))
      } catch (error) {
        throw classify(error)
      }
    },
    async drop(fileId) {
      await Promise.allSettled([safe.get(fileId)])
      safe.delete(fileId)
      unsafe.delete(fileId)
      await rm(pathOf(fileId), { force: true })
    },
    async commit(manifest) {
      try {
        // beside the files: nobody sees any of it before the folder has its name
        described = writeSynced(join(receiving, manifestName), JSON.stringify(manifest))
        await Promise.all([...safe.values(), described])
        await syncFolder(receiving)
        await rename(receiving, join(folder, uploadId))
        await syncFolder(folder)
      } catch (error) {
        throw classify(error)
      }
      return openUpload({ gatewayId, folder }, manifest, 'committed')
    },
    async discard() {
      await Promise.allSettled([...safe.values(), described])
      await rm(receiving, { recursive: true, force: true })
    },
  }
}

/** Waits as long as too many are on their way. */
async function makeSafe(unsafe: Map<FileId, WrittenFile>, fileId: FileId, written: WrittenFile): Promise<void> {
  unsafe.set(fileId, written)
  // one that failed stays: what came is to be judged by its content, and the disk's reason is told by who waits for it
  written.safe.then(
    () => unsafe.delete(fileId),
    () => undefined,
  )
  if (unsafe.size >= unsafeMax) await Promise.race([...unsafe.values()].map(({ safe }) => safe))
}

type SpoolPlace = Pick<SpoolOptions, 'gatewayId' | 'folder'>

async function reopen(place: SpoolPlace, uploadId: UploadId): Promise<SpooledUpload | undefined> {
  const here = join(place.folder, uploadId)
  const names = await unlessGone(readdir(here))
  // `finish` removes the manifest first: without one, everything was done
  const text = names?.includes(manifestName) ? await unlessGone(readFile(join(here, manifestName), 'utf8')) : undefined
  if (names === undefined || text === undefined) {
    await removeDurably(here)
    return undefined
  }
  // as: a gateway wrote it, and the rename that made it visible came after its last byte
  const manifest = JSON.parse(text) as Manifest
  const phase = (['abandoned', 'recorded'] as const).find((marker) => names.includes(marker)) ?? 'committed'
  return openUpload(place, manifest, phase)
}

function openUpload({ gatewayId, folder }: SpoolPlace, manifest: Manifest, initialPhase: SpoolPhase): SpooledUpload {
  const here = join(folder, manifest.uploadId)
  const pathOf = (fileId: FileId): string => {
    if (!isFileId(fileId)) throw new Error('not a file id')
    return join(here, fileId)
  }
  let phase = initialPhase
  return {
    gatewayId,
    manifest,
    isStored: false,
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
        // who took over from us may have finished it
        await unlessGone(next === 'committed' ? removeDurably(join(here, 'abandoned')) : markDurably(join(here, next)))
      } catch (error) {
        throw classify(error)
      }
      phase = next
    },
    async release(fileId) {
      await rm(pathOf(fileId), { force: true })
    },
    async finish() {
      await unlessGone(removeDurably(join(here, manifestName)))
      await removeDurably(here)
    },
  }
}

async function unlessGone<Result>(step: Promise<Result>): Promise<Result | undefined> {
  return step.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}
