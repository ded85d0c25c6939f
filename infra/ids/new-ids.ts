import { randomUUID } from 'node:crypto'

import { v7 as uuidV7 } from 'uuid'

import { isBatchId, isFileId, isGatewayId, isResumableId, isUploadId, isVocabularyId } from '../../actors/ids.ts'
import type { GatewayId } from '../../actors/ids.ts'
import type { Clock, Ids } from '../../actors/ports.ts'

/** UUIDs of version 7: the time comes first, so that ids sort by age; all the rest is random. */
export function newIds(clock: Clock): Ids {
  const next = (): string => uuidV7({ msecs: clock.nowMs() })
  return {
    nextFileId() {
      const id = next()
      if (!isFileId(id)) throw new Error('made an id that is none')
      return id
    },
    nextBatchId() {
      const id = next()
      if (!isBatchId(id)) throw new Error('made an id that is none')
      return id
    },
    nextVocabularyId() {
      const id = next()
      if (!isVocabularyId(id)) throw new Error('made an id that is none')
      return id
    },
    nextResumableId() {
      const id = next()
      if (!isResumableId(id)) throw new Error('made an id that is none')
      return id
    },
    nextUploadId() {
      const id = next()
      if (!isUploadId(id)) throw new Error('made an id that is none')
      return id
    },
  }
}

export function newGatewayId(): GatewayId {
  const id = randomUUID()
  if (!isGatewayId(id)) throw new Error('made an id that is none')
  return id
}
