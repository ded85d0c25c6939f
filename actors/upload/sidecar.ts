import type { Readable } from 'node:stream'

import { isFileId, isOwner, isUploadId, sidecarKey, uploadKey } from '../ids.ts'
import type { Blobs } from '../ports.ts'
import type { FileFacts } from './state.ts'

/** What is written of a file beside its bytes, so that it can be listed again when the broker is lost. Nothing in it is secret. */
interface Sidecar extends FileFacts {
  readonly version: typeof sidecarVersion
}

const sidecarVersion = 1
/** Far more than any name takes. */
const sidecarMaxBytes = 64 * 1024

/** After the bytes: who finds it finds them. */
export async function storeSidecar(blobs: Blobs, facts: FileFacts): Promise<void> {
  const { fileId, uploadId, owner, filename, sizeBytes, sha256, contentType, durationSeconds, acceptedAtMs } = facts
  const sidecar: Sidecar = {
    version: sidecarVersion,
    fileId,
    uploadId,
    owner,
    filename,
    sizeBytes,
    sha256,
    contentType,
    durationSeconds,
    acceptedAtMs,
  }
  await blobs.put(sidecarKey(facts), { bytes: Buffer.from(JSON.stringify(sidecar)) })
}

/** The sidecar goes first: bytes alone bring nothing back (I12). Resolves with whether there were bytes. */
export async function removeUpload(
  blobs: Blobs,
  file: Pick<FileFacts, 'owner' | 'uploadId' | 'fileId'>,
): Promise<boolean> {
  await blobs.remove(sidecarKey(file))
  return blobs.remove(uploadKey(file))
}

/** Nothing when it is damaged, of a newer version, or of another file than its key says. */
export async function readSidecar(blobs: Blobs, key: string): Promise<FileFacts | undefined> {
  const facts = factsIn(await textOf(await blobs.open(key, { start: 0, end: sidecarMaxBytes })))
  return facts && sidecarKey(facts) === key ? facts : undefined
}

async function textOf(content: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

function factsIn(text: string): FileFacts | undefined {
  const { version, ...facts } = parsed(text)
  return version === sidecarVersion && isFacts(facts) ? facts : undefined
}

function parsed(text: string): Partial<Sidecar> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function isFacts(facts: Partial<FileFacts>): facts is FileFacts {
  const { fileId = '', uploadId = '', owner = '', durationSeconds } = facts
  const areIds = isFileId(fileId) && isUploadId(uploadId) && isOwner(owner)
  const areTexts = [facts.filename, facts.sha256, facts.contentType].every((text) => typeof text === 'string')
  const areNumbers = [facts.sizeBytes, facts.acceptedAtMs].every((number) => Number.isFinite(number))
  return areIds && areTexts && areNumbers && (durationSeconds === null || Number.isFinite(durationSeconds))
}
