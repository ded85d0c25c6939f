import type { FileId, Owner, UploadId } from '../../actors/ids.ts'
import type { Clock, Faults, Ids } from '../../actors/ports.ts'
import type { Uploads } from '../../actors/services.ts'
import type { AudioProbe, Receiving, Reception, SpooledUpload } from '../../actors/upload/ports.ts'
import type { FileFacts, Manifest, RejectedFile, SameBytes } from '../../actors/upload/state.ts'
import { inviteBody } from '../invite-body.ts'
import type { Request } from '../route.ts'
import { safeFilename } from './filename.ts'
import type { Multipart, PartContent } from './multipart.ts'
import type { StoredQuota } from './stored-quota.ts'

/** From the parts of a request to files that are safe, on this machine's disk or in storage. */

export interface IntakePorts {
  readonly receiving: Receiving
  readonly probe: AudioProbe
  readonly uploads: Uploads
  readonly storedQuota: StoredQuota
  readonly ids: Ids
  readonly clock: Clock
  readonly faults: Faults
}

interface Intake extends IntakePlace {
  readonly request: Request
  readonly multipart: Multipart
}

interface IntakePlace {
  readonly uploadId: UploadId
  readonly reception: Reception
  /** It is stored by itself, whatever else has the same bytes. */
  readonly isApart: boolean
}

/** What is not audio, or too large, is named, with the reason, and not kept. */
export async function receiveFiles(
  ports: IntakePorts,
  input: Intake,
): Promise<{ files: FileFacts[]; rejected: RejectedFile[] }> {
  const { request, multipart } = input
  const outcomes: Promise<FileFacts | RejectedFile>[] = []
  inviteBody(request.raw.request, request.raw.response)
  await multipart.read(async (name, content) => {
    const { owner } = request.principal
    const outcome = receiveOne(ports, input, { owner, name, content, tooLarge: multipart.tooLarge })
    outcomes.push(outcome)
    await outcome
  })
  const settled = await Promise.all(outcomes)
  return {
    files: settled.filter((outcome) => 'fileId' in outcome),
    rejected: settled.filter((outcome) => 'reason' in outcome),
  }
}

interface ComingFile {
  readonly owner: Owner
  /** Where it was told before it came; otherwise it gets a new one. */
  readonly fileId?: FileId
  readonly name: string
  readonly content: AsyncIterable<Uint8Array> & Pick<PartContent, 'truncated'>
  /** What is said of a file of which only the beginning came. */
  readonly tooLarge: string
}

/** What is not audio, or too large, is not kept. */
export async function receiveOne(
  ports: IntakePorts,
  { reception, uploadId, isApart }: IntakePlace,
  { owner, fileId = ports.ids.nextFileId(), name, content, tooLarge }: ComingFile,
): Promise<FileFacts | RejectedFile> {
  const filename = safeFilename(name)
  const { sizeBytes, sha256 } = await reception.write(fileId, content)
  if (content.truncated === true) {
    await reception.drop(fileId)
    return { filename, sizeBytes, reason: tooLarge, isTooLarge: true }
  }
  const found = await reception.look(fileId, (bytes) => ports.probe.probe(bytes))
  if (!found.audio) {
    await reception.drop(fileId)
    return { filename, sizeBytes, reason: found.reason }
  }
  const { contentType, durationSeconds } = found
  const acceptedAtMs = ports.clock.nowMs()
  const facts = { fileId, uploadId, owner, filename, sizeBytes, sha256, contentType, durationSeconds, acceptedAtMs }
  return isApart ? { ...facts, isApart } : facts
}

/** After it resolves the files are kept, and on their way to storage. Resolves with those whose bytes were there. */
export async function keepFiles(ports: IntakePorts, manifest: Manifest, reception: Reception): Promise<SameBytes> {
  const { owner, files } = manifest
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  await ports.storedQuota.admit(owner, { files: files.length, bytes })
  const spooled = await reception.commit(manifest)
  const known = await accepted(ports, spooled)
  await ports.faults.point('upload.after-accept')
  return known
}

async function accepted({ uploads, faults }: IntakePorts, spooled: SpooledUpload): Promise<SameBytes> {
  try {
    await faults.point('upload.after-commit')
    return await uploads.accept(spooled)
  } catch (error) {
    await uploads.abandon(spooled)
    throw error
  }
}
