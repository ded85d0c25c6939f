import { randomFillSync } from 'node:crypto'

import { isBatchId, isFileId, isUploadId, uuidRandomBytes, uuidV7 } from '../../actors/ids.ts'
import type { Clock, Ids } from '../../actors/ports.ts'

export function newIds(clock: Clock): Ids {
  const next = (): string => uuidV7(clock.nowMs(), randomFillSync(new Uint8Array(uuidRandomBytes)))
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
    nextUploadId() {
      const id = next()
      if (!isUploadId(id)) throw new Error('made an id that is none')
      return id
    },
  }
}
