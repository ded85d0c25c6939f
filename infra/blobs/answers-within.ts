import { away } from '../../actors/failure.ts'
import type { Blobs } from '../../actors/ports.ts'

/** Rejects when a store is away, or says nothing for so long: one on a disk of the network may hang. */
export async function answersWithin(blobs: Pick<Blobs, 'check'>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const silence = away('storage_unavailable', `Storage did not answer within ${withinMs / 1000} seconds.`)
    timer = setTimeout(() => reject(silence), withinMs)
  })
  try {
    await Promise.race([blobs.check(), late])
  } finally {
    clearTimeout(timer)
  }
}
