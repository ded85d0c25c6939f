import type { Blobs } from '../ports.ts'
import { readStoredJson } from '../stored-json.ts'
import { turnsKey } from './keys.ts'
import type { TurnStore, SessionTurns } from './ports.ts'

export function openTurnStore(blobs: Pick<Blobs, 'open' | 'put'>): TurnStore {
  return {
    async store(ref, turns) {
      await blobs.put(turnsKey(ref), { bytes: Buffer.from(JSON.stringify(turns)) })
    },
    read: (ref) => readStoredJson<SessionTurns>(blobs, turnsKey(ref)),
  }
}
