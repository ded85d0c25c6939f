import { commit } from '../durable-actor.ts'
import { uploadKey, uploadsFolder } from '../ids.ts'
import type { FileId } from '../ids.ts'
import type { StoredObject } from '../ports.ts'
import { joinContent } from './contents.ts'
import type { ContentPorts } from './contents.ts'
import { decide, storedAt } from './decide.ts'
import type { FileRecords } from './ports.ts'
import type { UploadPorts } from './record.ts'
import { isSidecarKey, readSidecar, sidecarKeyOf } from './sidecar.ts'
import type { SidecarFacts } from './sidecar.ts'
import { contentKey, fileOfUploadKey, isVisible } from './state.ts'
import type { CompletedFile, Content, FileFacts, VisibleFile } from './state.ts'

type RebuildPorts = ContentPorts & Pick<UploadPorts, 'uploads' | 'listing' | 'log'>

/** What became of the files that storage tells of. */
interface Rebuilt {
  /** Had no record, or one that did not know yet that they are stored. */
  readonly restored: number
  readonly known: number
  /** Deleted a short while ago: they stay so (I12). */
  readonly deleted: number
  /** A sidecar that cannot be read, or whose bytes are missing or of another size. */
  readonly unusable: number
}

type Fate = keyof Rebuilt

/**
 * Makes the records of stored uploads again from what lies beside them. What is there stays; running it twice is as good as once. One
 * upload after another, for each user in the order in which they came, as storage lists them.
 */
export async function rebuildUploads(ports: RebuildPorts, tell: (soFar: Rebuilt) => void): Promise<Rebuilt> {
  const count: Record<Fate, number> = { restored: 0, known: 0, deleted: 0, unusable: 0 }
  for await (const objects of byFolder(ports.blobs.list(uploadsFolder))) {
    for (const fate of await rebuildUpload(ports, objects)) count[fate] += 1
    tell(count)
  }
  return count
}

/** One upload has one folder, and no more objects than an upload may have files. */
async function* byFolder(objects: AsyncIterable<StoredObject>): AsyncIterable<readonly StoredObject[]> {
  let together: StoredObject[] = []
  for await (const object of objects) {
    const [last] = together
    if (last && folderOf(last) !== folderOf(object)) {
      yield together
      together = []
    }
    together.push(object)
  }
  yield together
}

function folderOf({ key }: StoredObject): string {
  return key.slice(0, key.lastIndexOf('/'))
}

async function rebuildUpload(ports: RebuildPorts, objects: readonly StoredObject[]): Promise<Fate[]> {
  const sizes = new Map(objects.map(({ key, sizeBytes }) => [key, sizeBytes]))
  const fates: Fate[] = []
  const listed: VisibleFile[] = []
  for (const key of [...sizes.keys()].filter(isSidecarKey)) {
    const facts = await readSidecar(ports.blobs, key)
    const { fate, file } = facts && (await hasBytes(ports, facts, sizes)) ? await rebuildFile(ports, facts) : unusable
    if (fate === 'unusable') ports.log.warn('a stored upload cannot be listed again', { key })
    fates.push(fate)
    if (file) listed.push(file)
  }
  await list(ports, listed)
  return fates
}

const unusable: RebuiltFile = { fate: 'unusable' }

interface RebuiltFile {
  readonly fate: Fate
  /** As it can be seen now. */
  readonly file?: VisibleFile
}

async function hasBytes(
  { blobs }: RebuildPorts,
  { sharedKey, ...facts }: SidecarFacts,
  sizes: ReadonlyMap<string, number>,
): Promise<boolean> {
  const sizeBytes = sharedKey === undefined ? sizes.get(uploadKey(facts)) : (await blobs.stat(sharedKey))?.sizeBytes
  return sizeBytes === facts.sizeBytes
}

async function rebuildFile(ports: RebuildPorts, { sharedKey, ...facts }: SidecarFacts): Promise<RebuiltFile> {
  const { files } = ports
  if (sharedKey === undefined) return completedAgain(files, storedAt(facts, uploadKey(facts)))
  // who refers to something has a record first, as when it came
  await files.create(facts.fileId, { ...facts, status: 'pending' })
  const now = (await files.read(facts.fileId))?.value
  if (!now || !isVisible(now)) return { fate: 'deleted' }
  if (now.status === 'completed') return { fate: 'known', file: now }
  const storageKey = await holdAgain(ports, facts, sharedKey)
  if (storageKey !== undefined) return completedAgain(files, storedAt(facts, storageKey))
  await files.erase(facts.fileId)
  return unusable
}

async function completedAgain(files: FileRecords, completed: CompletedFile): Promise<RebuiltFile> {
  const { fileId, storageKey } = completed
  if ((await files.create(fileId, completed)) !== 'exists') return { fate: 'restored', file: completed }
  let was: string | undefined
  const { state: file } = await commit(files, fileId, (stored) => {
    was = stored?.status
    return { state: stored && decide(stored, { type: 'Stored', storageKey }), effects: [] }
  })
  if (!file || !isVisible(file)) return { fate: 'deleted' }
  return { fate: file.status === was ? 'known' : 'restored', file }
}

/** Notes once more that a file refers to what another came with, and that this one does where it is there. Resolves with where its bytes are. */
async function holdAgain(ports: RebuildPorts, file: FileFacts, sharedKey: string): Promise<string | undefined> {
  const first = fileOfUploadKey(file.owner, sharedKey)
  if (first === undefined) return undefined
  const isFirstThere = await ports.blobs.stat(sidecarKeyOf(sharedKey))
  const { state } = await commit(ports.contents, contentKey(file), (stored) => ({
    state: withHolders(stored ?? { storageKey: sharedKey, holders: [] }, sharedKey, [
      ...(isFirstThere ? [first] : []),
      file.fileId,
    ]),
    effects: [],
  }))
  // the same bytes came once more since
  if (state?.storageKey !== sharedKey) return joinContent(ports, file)
  await commit(ports.files, first, (stored) => ({ state: stored && decide(stored, { type: 'Share' }), effects: [] }))
  return sharedKey
}

function withHolders(content: Content, sharedKey: string, ids: readonly FileId[]): Content {
  const added = content.storageKey === sharedKey ? ids.filter((id) => !content.holders.includes(id)) : []
  return added.length === 0 ? content : { ...content, holders: [...content.holders, ...added] }
}

/** In the order of acceptance: records, upload, listing. What only the request knew is lost: what it refused, and its fingerprint. */
async function list({ uploads, listing }: RebuildPorts, files: readonly VisibleFile[]): Promise<void> {
  const [first] = files
  if (!first) return
  const { uploadId, owner, acceptedAtMs } = first
  const fileIds = files.map(({ fileId }) => fileId)
  await uploads.create(uploadId, {
    uploadId,
    owner,
    fileIds,
    acceptedAtMs,
    spoolSeconds: 0,
    rejected: [],
    fingerprint: '',
  })
  await listing.append(
    owner,
    files.map(({ fileId, status, sizeBytes }) => ({ fileId, status, sizeBytes })),
  )
}
