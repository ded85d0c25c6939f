import type { ModelDigest } from '../../../actors/receipt/state.ts'
import { digestOf } from './digest.ts'
import type { ModelStore } from './store.ts'

/** What the files of models are, as they were when this process first used them. */
export function openModelDigests(store: Pick<ModelStore, 'locate'>): (id: string) => Promise<ModelDigest> {
  const known = new Map<string, Promise<ModelDigest>>()
  return (id) => {
    const digest = known.get(id) ?? digestsOf(store, id)
    known.set(id, digest)
    void digest.catch(() => known.delete(id))
    return digest
  }
}

/** Files that the catalogue vouches for were hashed when they were located; those of an operator's own are hashed here. */
async function digestsOf(store: Pick<ModelStore, 'locate'>, id: string): Promise<ModelDigest> {
  const { files, sha256 } = await store.locate(id)
  const hashed = Object.entries(files).map(async ([path, place]) => ({
    path,
    sha256: sha256[path] ?? (await digestOf(place, 'sha256', 'hex')),
  }))
  return { id, files: await Promise.all(hashed) }
}
