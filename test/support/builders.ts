import { v7 as uuidV7 } from 'uuid'

import { isBatchId, isFileId, isGatewayId, isOwner, isUploadId, uploadKey } from '../../actors/ids.ts'
import type { BatchId, FileId, GatewayId, Owner, UploadId } from '../../actors/ids.ts'
import type { FileFacts, UploadProgress, UploadedFile } from '../../actors/upload/state.ts'

/** Things of the domain with everything filled in, so that a test names only what it is about. */

let made = 0

export function aFileId(): FileId {
  const id = nextUuid()
  if (!isFileId(id)) throw new Error('not an id')
  return id
}

export function anUploadId(): UploadId {
  const id = nextUuid()
  if (!isUploadId(id)) throw new Error('not an id')
  return id
}

export function aBatchId(): BatchId {
  const id = nextUuid()
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

export function aGatewayId(): GatewayId {
  const id = nextUuid()
  if (!isGatewayId(id)) throw new Error('not an id')
  return id
}

export function anOwner(letters = 'a'): Owner {
  const text = letters.repeat(22).slice(0, 22)
  if (!isOwner(text)) throw new Error('not an owner')
  return text
}

export function someFacts(facts: Partial<FileFacts> = {}): FileFacts {
  return {
    fileId: aFileId(),
    uploadId: anUploadId(),
    owner: anOwner(),
    filename: 'speech.wav',
    sizeBytes: 32_044,
    sha256: '0'.repeat(64),
    contentType: 'audio/wav',
    durationSeconds: 1,
    acceptedAtMs: 1_700_000_000_000,
    ...facts,
  }
}

export function aFile(status: UploadProgress['status'], facts: Partial<FileFacts> = {}): UploadedFile {
  switch (status) {
    case 'completed':
      return aStoredFile(someFacts(facts))
    case 'failed':
      return { ...someFacts(facts), status, reason: 'storage stayed away' }
    case 'pending':
    case 'uploading':
    case 'purging':
      return { ...someFacts(facts), status }
  }
}

function aStoredFile(facts: FileFacts): UploadedFile {
  return { ...facts, status: 'completed', storageKey: uploadKey(facts) }
}

function nextUuid(): string {
  made += 1
  const random = new Uint8Array(16)
  new DataView(random.buffer).setUint32(12, made)
  return uuidV7({ msecs: 1_700_000_000_000 + made, random })
}
