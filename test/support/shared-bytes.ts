import type { Claim } from '../../actors/claim/state.ts'
import { inHandKey, uploadFolder, uploadKey } from '../../actors/ids.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import { openFileListing } from '../../actors/listing/files.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { Head } from '../../actors/listing/pages.ts'
import { buryFiles, forgetFiles } from '../../actors/purge/files.ts'
import { uploadedFileActor } from '../../actors/upload/actor.ts'
import { eraseUploads, knownContents, offerCompleted } from '../../actors/upload/contents.ts'
import type { SpooledUpload, SpoolPhase } from '../../actors/upload/ports.ts'
import { forgetUpload, record } from '../../actors/upload/record.ts'
import type { UploadPorts } from '../../actors/upload/record.ts'
import { storeSidecar } from '../../actors/upload/sidecar.ts'
import type {
  Content,
  FileFacts,
  SameBytes,
  UploadedFile,
  UploadInHand,
  UploadRecord,
} from '../../actors/upload/state.ts'
import { endStranded } from '../../actors/upload/strand.ts'
import { withdrawUpload } from '../../actors/upload/withdraw.ts'
import { anOwner, anUploadId, someFacts } from './builders.ts'
import { aMemoryStorage } from './memory-blobs.ts'
import { memoryRecords } from './memory-records.ts'
import { silentLog } from './silent-log.ts'
import { aSpooledUpload } from './spooled-upload.ts'

/** A user who sends the same bytes again and again, to gateways that may die anywhere. */
export interface SharingScene {
  readonly owner: Owner
  readonly ports: UploadPorts
  readonly listing: ReturnType<typeof openFileListing>
  /** Of recordings, without what is beside them. */
  recordings(): string[]
  objects(): string[]
  /** Of this user's bytes, as it is stored. */
  contents(): Promise<Content[]>
  aFile(facts?: Partial<FileFacts>): FileFacts
  /** Through a spool, or straight into storage; resolves with what was known already. */
  upload(facts: FileFacts, way: 'spool' | 'storage', sending?: Partial<Sending>): Promise<SameBytes>
  remove(fileIds: readonly FileId[], portsOf?: () => UploadPorts): Promise<number>
  fileOf(fileId: FileId): Promise<UploadedFile | undefined>
}

interface Sending {
  /** Of one gateway after the other. */
  readonly portsOf: () => UploadPorts
  /** It only stands still, and another goes on in its place. */
  readonly isGivenUp?: boolean
  /** Before another looks after what a gateway left. */
  readonly noticed?: () => Promise<void>
}

const bytes = Buffer.from('the same speech')

/** What a gateway that dies leaves is done again by the next, as it is for real. */
export const died = new Error('it died')

export function aSharingScene(nowMs?: () => number): SharingScene {
  const owner = anOwner()
  const storage = aMemoryStorage()
  const listing = openFileListing({ heads: memoryRecords<Head>(), pages: memoryRecords<FilePage>() })
  const ports: UploadPorts = {
    files: memoryRecords<UploadedFile>(nowMs),
    uploads: memoryRecords<UploadRecord>(),
    contents: memoryRecords<Content>(),
    inHand: memoryRecords<UploadInHand>(),
    listing,
    blobs: { ...storage.blobs, put: (key, source) => storage.blobs.put(key, 'path' in source ? { bytes } : source) },
    faults: { point: () => Promise.resolve() },
    log: silentLog,
  }
  return {
    owner,
    ports,
    listing,
    objects: () => storage.keys(),
    recordings: () => storage.keys().filter((key) => !key.endsWith('.json')),
    async contents() {
      const stored = await Promise.all((await ports.contents.keys()).map((key) => ports.contents.read(key)))
      return stored.flatMap((one) => one?.value ?? [])
    },
    aFile: (facts) => someFacts({ owner, uploadId: anUploadId(), sizeBytes: bytes.length, ...facts }),
    upload: (facts, way, sending) =>
      (way === 'spool' ? throughSpool : straightIn)(facts, { portsOf: () => ports, ...sending }),
    remove: (fileIds, portsOf = () => ports) => removeFiles(fileIds, portsOf),
    fileOf: async (fileId) => (await ports.files.read(fileId))?.value,
  }
}

/** The spool stays when its gateway dies, and another may have taken it over while it only stood still. */
async function throughSpool(facts: FileFacts, { portsOf, isGivenUp = false }: Sending): Promise<SameBytes> {
  let phase: SpoolPhase = 'committed'
  let isHeld = true
  const upload: SpooledUpload = {
    ...aSpooledUpload(facts),
    isStored: false,
    get phase() {
      return phase
    },
    holds: () => Promise.resolve(isHeld),
    enter: async (next) => void (phase = next),
    release: async () => void (isHeld = false),
  }
  const send = async (): Promise<SameBytes> => {
    const ports = portsOf()
    let known: SameBytes = new Map()
    if (phase === 'committed') {
      known = await knownContents(ports, [facts])
      await record(ports, upload)
    }
    await uploadedFileActor(ports).tell({ upload, facts }, [{ type: 'Begin' }])
    await forgetUpload(ports, upload)
    return known
  }
  const [known] = await Promise.all([untilDone(send), isGivenUp && untilDone(send)])
  return known
}

/** What a gateway was at that dies, or stands still for long, is ended by another. */
async function straightIn(facts: FileFacts, { portsOf, isGivenUp = false, noticed }: Sending): Promise<SameBytes> {
  let phase: SpoolPhase = 'committed'
  const { owner, uploadId } = facts
  const bare = aSpooledUpload(facts)
  const note = { gatewayId: bare.gatewayId, owner, uploadId, fileIds: [], isStreamed: true } as const
  const ports = portsOf()
  const upload: SpooledUpload = {
    ...bare,
    isStored: true,
    get phase() {
      return phase
    },
    enter: async (next) => void (phase = next),
    finish: async () => (phase === 'recorded' ? undefined : void (await ports.blobs.removeAll(uploadFolder(facts)))),
  }
  const end = async (): Promise<void> => {
    const given = portsOf()
    const left = await given.inHand.read(inHandKey(note))
    if (left) await endStranded(given, left.value, 'gone')
  }
  try {
    const [known] = await Promise.all([stream(ports, upload, note), isGivenUp && untilDone(end)])
    return known
  } catch (error) {
    if (error !== died) throw error
    await noticed?.()
    await untilDone(end)
    return new Map()
  }
}

async function stream(ports: UploadPorts, upload: SpooledUpload, note: UploadInHand): Promise<SameBytes> {
  const { files } = upload.manifest
  await ports.inHand.create(inHandKey(note), note)
  for (const file of files) {
    await ports.blobs.put(uploadKey(file), { bytes })
    await storeSidecar(ports.blobs, file)
  }
  const known = await knownContents(ports, files)
  if ((await record(ports, upload, known)) === 'gone') {
    await upload.enter('abandoned')
    await withdrawUpload({ ...ports, claims: memoryRecords<Claim>() }, upload)
    return new Map()
  }
  for (const facts of files)
    if (known.has(facts.fileId)) await uploadedFileActor(ports).tell({ upload, facts }, [{ type: 'Begin' }])
  for (const facts of files) await offerCompleted(ports, facts)
  await forgetUpload(ports, upload)
  return known
}

/** As a purge does it, which was promised and is kept by whoever lives. */
async function removeFiles(fileIds: readonly FileId[], portsOf: () => UploadPorts): Promise<number> {
  let count = 0
  await untilDone(async () => {
    const ports = portsOf()
    const buried = await buryFiles(ports, fileIds)
    const [owner] = buried.map((file) => file.owner)
    if (owner !== undefined) await ports.listing.remove(owner, fileIds)
    count += await eraseUploads(ports, buried)
    await forgetFiles(ports, buried)
  })
  return count
}

async function untilDone<Result>(step: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (error !== died) throw error
    }
  }
}
