import type { Readable } from 'node:stream'

import { isFileId, isOwner, isUploadId, uploadKey } from '../ids.ts'
import type { Blobs } from '../ports.ts'
import { factsOf, fileOfUploadKey } from './state.ts'
import type { FileFacts } from './state.ts'

/** What is written of a file beside its bytes, so that it can be listed again when the broker is lost. Nothing in it is secret. */
interface Sidecar extends SidecarFacts {
  readonly version: typeof sidecarVersion
}

export interface SidecarFacts extends FileFacts {
  /** Where its bytes are, when that is not beside this. */
  readonly sharedKey?: string
}

const sidecarVersion = 1
const sidecarSuffix = '.json'
/** Far more than any name takes. */
const sidecarMaxBytes = 64 * 1024

export function sidecarKey(file: Pick<FileFacts, 'owner' | 'uploadId' | 'fileId'>): string {
  return sidecarKeyOf(uploadKey(file))
}

export function sidecarKeyOf(storageKey: string): string {
  return `${storageKey}${sidecarSuffix}`
}

export function isSidecarKey(key: string): boolean {
  return key.endsWith(sidecarSuffix)
}

/** After the bytes: who finds it finds them. */
export async function storeSidecar(blobs: Blobs, file: FileFacts, storageKey = uploadKey(file)): Promise<void> {
  const facts = factsOf(file)
  const isElsewhere = storageKey !== uploadKey(file)
  const sidecar: Sidecar = { version: sidecarVersion, ...facts, ...(isElsewhere && { sharedKey: storageKey }) }
  await blobs.put(sidecarKey(file), { bytes: Buffer.from(JSON.stringify(sidecar)) })
}

/** Of a file that was never accepted. The sidecar goes first: bytes alone bring nothing back (I12). Resolves with whether there were bytes. */
export async function removeUpload(
  blobs: Blobs,
  file: Pick<FileFacts, 'owner' | 'uploadId' | 'fileId'>,
): Promise<boolean> {
  await blobs.remove(sidecarKey(file))
  return blobs.remove(uploadKey(file))
}

/** Nothing when it is damaged, of a newer version, or of another file than its key says. */
export async function readSidecar(blobs: Blobs, key: string): Promise<SidecarFacts | undefined> {
  const facts = factsIn(await textOf(await blobs.open(key, { start: 0, end: sidecarMaxBytes })))
  return facts && sidecarKey(facts) === key ? facts : undefined
}

async function textOf(content: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

function factsIn(text: string): SidecarFacts | undefined {
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

function isFacts(facts: Partial<SidecarFacts>): facts is SidecarFacts {
  const { fileId = '', uploadId = '', owner = '', durationSeconds, sharedKey } = facts
  const areIds = isFileId(fileId) && isUploadId(uploadId) && isOwner(owner)
  const areTexts = [facts.filename, facts.sha256, facts.contentType].every((text) => typeof text === 'string')
  const areNumbers = [facts.sizeBytes, facts.acceptedAtMs].every((number) => Number.isFinite(number))
  if (sharedKey !== undefined && !(isOwner(owner) && fileOfUploadKey(owner, sharedKey))) return false
  return areIds && areTexts && areNumbers && (durationSeconds === null || Number.isFinite(durationSeconds))
}
