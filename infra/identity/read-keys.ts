import type { Owner } from '../../actors/ids.ts'
import type { Stored } from '../../actors/ports.ts'
import type { KeyPorts } from './key-ports.ts'
import { ownPrefix, recordKey } from './stored-key.ts'
import type { StoredKey } from './stored-key.ts'

export async function ownIdsOf({ kept }: Pick<KeyPorts, 'kept'>, owner: Owner): Promise<string[]> {
  return [...(await kept.readUnder(ownPrefix(owner))).values()].map(({ keyId }) => keyId)
}

interface OurKey extends Stored<StoredKey> {
  readonly isSealed: boolean
}

/** The record of a key that was made by us: nothing for what somebody else put in its place. */
export async function readOurs(
  { records, seal }: Pick<KeyPorts, 'records' | 'seal'>,
  id: string,
): Promise<OurKey | undefined> {
  const found = await records.read(recordKey(id))
  // an answer of the broker that was led here has no value
  const origin = found?.value ? seal.originOf(id, found) : 'foreign'
  return found && origin !== 'foreign' ? { ...found, isSealed: origin === 'sealed' } : undefined
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
