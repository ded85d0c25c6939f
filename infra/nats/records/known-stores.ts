import { createHash } from 'node:crypto'

import type { Records } from '../../../actors/ports.ts'
import type { KnownStore } from '../../blobs/identity.ts'
import { buckets } from '../topology/topology.ts'
import type { RecordsClient } from './client.ts'
import { openRecords } from './records.ts'

/** Which store was first seen at a place. */
interface StoreRecord {
  readonly name: string
}

/** The broker remembers which store is where, so that a process that starts while its store is away knows what it waits for. */
export async function openKnownStores(client: RecordsClient): Promise<(place: string) => KnownStore> {
  const records = await openRecords<StoreRecord>(client, buckets.stores)
  if (client.role !== 'worker') await bringOver(client, records)
  return (place) => knownAt(records, place)
}

/** For who only looks: nothing is brought over or written down. */
export async function recallStore(client: RecordsClient, place: string): Promise<string | undefined> {
  return knownAt(await openRecords<StoreRecord>(client, buckets.stores), place).recall()
}

/** The version before kept them with the keys, where a worker does not look. */
async function bringOver(client: RecordsClient, records: Records<StoreRecord>): Promise<void> {
  const before = await openRecords<StoreRecord>(client, buckets.credentials)
  for (const [key, store] of await before.readUnder('store')) await records.create(key, store)
}

function knownAt(records: Records<StoreRecord>, place: string): KnownStore {
  const key = `store.${createHash('sha256').update(place).digest('hex')}`
  const recall = async (): Promise<string | undefined> => (await records.read(key))?.value.name
  return {
    recall,
    async remember(name) {
      if ((await records.create(key, { name })) !== 'exists') return name
      return (await recall()) ?? name
    },
  }
}
