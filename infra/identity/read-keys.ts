import type { Owner } from '../../actors/ids.ts'
import type { KeyPorts } from './key-ports.ts'
import { ownPrefix, recordKey } from './stored-key.ts'
import type { StoredKey } from './stored-key.ts'

export async function ownIdsOf({ kept }: Pick<KeyPorts, 'kept'>, owner: Owner): Promise<string[]> {
  return [...(await kept.readUnder(ownPrefix(owner))).values()].map(({ keyId }) => keyId)
}

/** By id, none missed that is there. */
export async function findKeys(
  { records }: Pick<KeyPorts, 'records'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredKey>> {
  const found = await records.readMany(ids.map(recordKey))
  const all = new Map<string, StoredKey>()
  for (const id of ids) {
    // one by one: a read of many may come from a copy that is behind, which knows a new key no more than a revoked one
    const stored = found.get(recordKey(id)) ?? (await records.read(recordKey(id)))?.value
    if (stored) all.set(id, stored)
  }
  return all
}
