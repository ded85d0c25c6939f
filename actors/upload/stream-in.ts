import { inHandKey, uploadFolder, uploadKey } from '../ids.ts'
import type { FileId, GatewayId } from '../ids.ts'
import type { Log, Records } from '../ports.ts'
import { watchPassing } from './passing-bytes.ts'
import type { PassingBytes } from './passing-bytes.ts'
import type {
  AnnouncedUpload,
  Hashing,
  ObjectStorage,
  Receiving,
  Reception,
  Room,
  SpooledUpload,
  SpoolPhase,
} from './ports.ts'
import type { Manifest, UploadInHand } from './state.ts'
import { removeUpload, storeSidecar } from './sidecar.ts'

interface StreamingPorts {
  readonly storage: ObjectStorage
  readonly inHand: Records<UploadInHand>
  readonly hashing: Hashing
  readonly log: Log
  /** Whose lease what comes now hangs on. */
  gatewayId(): GatewayId
  /** Of the disk below the storage. */
  readonly room: Pick<Room, 'check'>
  /** Takes back, later and again until it works, what could not be taken back at once. */
  abandon(upload: SpooledUpload): Promise<void>
}

/**
 * Uploads that go straight into the object store: what is accepted is there, whatever becomes of this machine. It is noted first that
 * they come, so that what a gateway leaves there which dies before it has accepted them is found and removed.
 */
export function streamIntoStorage(ports: StreamingPorts): Receiving {
  return {
    async receive(announced) {
      await ports.room.check(announced.expectedBytes)
      const { uploadId, owner } = announced
      const gatewayId = ports.gatewayId()
      const note: UploadInHand = { gatewayId, uploadId, owner, fileIds: [], isStreamed: true }
      await ports.inHand.create(inHandKey(note), note)
      return openReception(ports, { ...announced, gatewayId })
    },
  }
}

interface Coming extends AnnouncedUpload {
  readonly gatewayId: GatewayId
}

function openReception(ports: StreamingPorts, coming: Coming): Reception {
  const { storage, inHand, log } = ports
  const passed = new Map<FileId, PassingBytes>()
  const keyOf = (fileId: FileId): string => uploadKey({ ...coming, fileId })
  let isCommitted = false
  return {
    async write(fileId, source) {
      const passing = watchPassing(ports.hashing)
      passed.set(fileId, passing)
      await storage.write(keyOf(fileId), passing.pass(source))
      return { sizeBytes: passing.sizeBytes, sha256: passing.sha256 }
    },
    async look(fileId, use) {
      const passing = passed.get(fileId)
      if (!passing) throw new Error('only what was written can be looked at')
      return use(passing.storedAs(storage, keyOf(fileId)))
    },
    async drop(fileId) {
      passed.delete(fileId)
      await storage.remove(keyOf(fileId))
    },
    async commit(manifest) {
      for (const facts of manifest.files) await storeSidecar(storage, facts)
      isCommitted = true
      return streamedUpload(ports, coming, manifest)
    },
    async discard() {
      if (isCommitted) return
      try {
        await Promise.all([...passed.keys()].map((fileId) => removeUpload(storage, { ...coming, fileId })))
        await inHand.remove(inHandKey(coming))
      } catch (error) {
        log.warn('a refused upload stays in storage for a while', { uploadId: coming.uploadId, error })
        await ports.abandon(streamedUpload(ports, coming, nothingOf(coming)))
      }
    },
  }
}

/** What it is is written down in records only: nothing of it is on this machine. */
function streamedUpload({ storage }: StreamingPorts, coming: Coming, manifest: Manifest): SpooledUpload {
  let phase: SpoolPhase = 'committed'
  return {
    gatewayId: coming.gatewayId,
    manifest,
    isStored: true,
    get phase() {
      return phase
    },
    pathOf() {
      throw new Error('what is in storage is at no path')
    },
    holds: () => Promise.resolve(false),
    async enter(next) {
      phase = next
    },
    release: () => Promise.resolve(),
    async finish() {
      if (phase !== 'recorded') await storage.removeAll(uploadFolder(coming))
    },
  }
}

function nothingOf({ uploadId, owner }: Coming): Manifest {
  return { uploadId, owner, acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: '', files: [] }
}
