import { commit } from '../durable-actor.ts'
import { retryable } from '../failure.ts'
import { uploadKey } from '../ids.ts'
import type { FileId } from '../ids.ts'
import { decide } from './decide.ts'
import type { UploadPorts } from './record.ts'
import { sidecarKey } from './sidecar.ts'
import { contentKey, fileOfUploadKey, isVisible } from './state.ts'
import type { Content, FileFacts, SameBytes, UploadedFile } from './state.ts'

/**
 * Bytes that a user sends again are stored once. Who refers to an object is a set in one record, which is changed by compare-and-set. A file has a
 * record before it is in that set, is out of sight before it leaves, and where it is stored never changes. Whoever joins has seen, after reading the
 * set, one of it that is completed and visible: the deletion of that one leaves later, and finds the set changed. So an object that nobody
 * refers to is never referred to again, and may be removed by whoever finds it so, however late.
 */
export type ContentPorts = Pick<UploadPorts, 'contents' | 'files' | 'blobs'>

/** What tells whose bytes they are, and which file of theirs has them. */
export type HeldFile = Pick<FileFacts, 'owner' | 'uploadId' | 'fileId' | 'sha256' | 'isApart'>

/** A record of that many is small; who sends the same bytes more often has them stored once more. */
export const holdersMax = 1_000
/** Of those that refer to the same object, at once; one that is there is enough. */
const looksAtOnce = 8
/** Who cannot join stores by itself; who leaves has to, and comes again. */
const conflictsMax = { join: 16, leave: 64 } as const

/**
 * What is known when files come: a hint, which may be old. Whether they are stored once is found out by joining. It does not hold up an
 * upload that it cannot be had.
 */
export async function knownContents(
  { contents, files, log }: Pick<UploadPorts, 'contents' | 'files' | 'log'>,
  coming: readonly FileFacts[],
): Promise<SameBytes> {
  const asked = coming.filter(({ isApart }) => !isApart)
  if (asked.length === 0) return new Map()
  try {
    const found = await contents.readMany([...new Set(asked.map(contentKey))])
    const contentOf = (file: FileFacts): Content | undefined => found.get(contentKey(file))
    const holders = asked.flatMap((file) => contentOf(file)?.holders[0] ?? [])
    const there = holders.length === 0 ? new Map<string, UploadedFile>() : await files.readMany(holders)
    return new Map(
      asked.flatMap((file) => {
        const { storageKey = '', holders: [holder = ''] = [] } = contentOf(file) ?? {}
        const first = there.get(holder)?.status === 'completed' ? fileOfUploadKey(file.owner, storageKey) : undefined
        return first === undefined ? [] : [[file.fileId, first] as const]
      }),
    )
  } catch (error) {
    log.warn('it is not known whether files that came are stored already', { error })
    return new Map()
  }
}

/**
 * Makes a file, which has a record, one of those that refer to what its user has stored already. Resolves with where that is, or with nothing: then
 * the file is stored by itself.
 */
export async function joinContent(ports: ContentPorts, file: FileFacts): Promise<string | undefined> {
  if (file.isApart) return undefined
  const key = contentKey(file)
  for (let conflicts = 0; conflicts < conflictsMax.join; conflicts += 1) {
    const stored = await ports.contents.read(key)
    if (!stored) return undefined
    const { storageKey, holders } = stored.value
    if (holders.includes(file.fileId)) return storageKey
    if (holders.length >= holdersMax || !(await isKept(ports, stored.value))) return undefined
    // somebody may have emptied the bucket
    if ((await ports.blobs.stat(storageKey))?.sizeBytes !== file.sizeBytes) return undefined
    const joined = { storageKey, holders: [...holders, file.fileId] }
    if ((await ports.contents.replace(key, joined, stored.revision)) !== 'conflict') return storageKey
    await ports.contents.backOff(conflicts + 1)
  }
  return undefined
}

/** What a file refers to that joined and, since its gateway died, did not learn of it. */
export async function joinedContent(
  { contents }: Pick<ContentPorts, 'contents'>,
  file: HeldFile,
): Promise<string | undefined> {
  const stored = file.isApart ? undefined : (await contents.read(contentKey(file)))?.value
  return stored?.holders.includes(file.fileId) ? stored.storageKey : undefined
}

/** The first that can be seen is told so, lest an older version deletes the object with it. */
async function isKept({ files }: ContentPorts, { storageKey, holders }: Content): Promise<boolean> {
  for (const holder of holders.slice(0, looksAtOnce)) {
    const { state: file } = await commit(files, holder, (stored) => ({
      state: stored && decide(stored, { type: 'Share' }),
      effects: [],
    }))
    if (file?.status === 'completed' && file.storageKey === storageKey) return true
  }
  return false
}

/**
 * Others may refer to where this file is stored by itself. The first of several stays, while it is there. Who offers looks afterwards whether the
 * file is there: one that was deleted before found nothing to leave.
 */
export async function offerContent(ports: ContentPorts, file: HeldFile): Promise<void> {
  if (file.isApart) return
  const key = contentKey(file)
  const offered: Content = { storageKey: uploadKey(file), holders: [file.fileId] }
  if ((await ports.contents.create(key, offered)) !== 'exists') return
  const left = await withoutGone(ports, file, new Set())
  // its own, and of nobody: it has left
  if (left?.holders.length === 0 && left.storageKey !== offered.storageKey) await ports.contents.create(key, offered)
}

/** The same of a file that has been completed before, with that look. */
export async function offerCompleted(ports: ContentPorts, file: HeldFile): Promise<void> {
  if (file.isApart) return
  await offerContent(ports, file)
  const now = (await ports.files.read(file.fileId))?.value
  if (!now || !isVisible(now)) await withoutGone(ports, file, new Set([file.fileId]))
}

/** The file is out of sight. What it came with, and what it referred to, goes unless others refer to it; resolves with how many objects did. */
export async function eraseUpload(ports: ContentPorts, file: HeldFile): Promise<number> {
  return eraseUploads(ports, [file])
}

/** The same of several. Those with the same bytes leave together: one by one, each would look at all the others that are out of sight, too. */
export async function eraseUploads(ports: ContentPorts, files: readonly HeldFile[]): Promise<number> {
  const together = new Map<string, HeldFile[]>()
  for (const file of files) {
    const key = file.isApart ? uploadKey(file) : contentKey(file)
    together.set(key, [...(together.get(key) ?? []), file])
  }
  const removed = await Promise.all([...together.values()].map((group) => eraseTogether(ports, group)))
  return removed.reduce((sum, one) => sum + one, 0)
}

async function eraseTogether(ports: ContentPorts, files: readonly HeldFile[]): Promise<number> {
  // bytes alone bring nothing back (I12)
  await Promise.all(files.map((file) => ports.blobs.remove(sidecarKey(file))))
  const [first] = files
  const leaving = new Set(files.map(({ fileId }) => fileId))
  const left = !first || first.isApart ? undefined : await withoutGone(ports, first, leaving)
  const held = left && left.holders.length > 0 ? left.storageKey : undefined
  const own = files.map(uploadKey).filter((key) => key !== held)
  const removed = await Promise.all(own.map((key) => ports.blobs.remove(key)))
  return (left?.removed ?? 0) + removed.filter(Boolean).length
}

interface Left extends Content {
  readonly removed: number
}

/**
 * Takes some out, and those before the first that can be seen: their deletion was cut short, or they were never accepted, and nobody else speaks for
 * them. Removes what nobody refers to then; a crash before that leaves a record that says so, for who comes again.
 */
async function withoutGone(
  { contents, files, blobs }: ContentPorts,
  file: HeldFile,
  leaving: ReadonlySet<FileId>,
): Promise<Left | undefined> {
  const key = contentKey(file)
  for (let conflicts = 0; conflicts < conflictsMax.leave; conflicts += 1) {
    const stored = await contents.read(key)
    if (!stored) return undefined
    const staying = stored.value.holders.filter((fileId) => !leaving.has(fileId))
    const left = { ...stored.value, holders: await fromFirstThere(files, staying) }
    const isChanged = left.holders.length !== stored.value.holders.length
    const written = isChanged ? await contents.replace(key, left, stored.revision) : stored.revision
    if (written === 'conflict') {
      await contents.backOff(conflicts + 1)
      continue
    }
    if (left.holders.length > 0) return { ...left, removed: 0 }
    const removed = (await blobs.remove(left.storageKey)) ? 1 : 0
    await contents.erase(key, written)
    return { ...left, removed }
  }
  throw retryable('overloaded', 'Too many files with the same bytes come and go at the same time; try again shortly.')
}

async function fromFirstThere(files: UploadPorts['files'], holders: readonly FileId[]): Promise<readonly FileId[]> {
  for (let from = 0; from < holders.length; from += looksAtOnce) {
    const looked = holders.slice(from, from + looksAtOnce)
    const found = await Promise.all(looked.map((fileId) => files.read(fileId)))
    const at = found.findIndex((one) => one && isVisible(one.value))
    if (at >= 0) return holders.slice(from + at)
  }
  return []
}
