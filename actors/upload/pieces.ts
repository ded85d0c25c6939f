import { startOfPiece } from './resumable-keys.ts'
import type { StoredObject } from '../ports.ts'

/** Bytes of an upload in storage, and from which on they are wanted. */
interface WantedPiece {
  readonly key: string
  readonly skipBytes: number
}

interface Row {
  readonly sizeBytes: number
  readonly wanted: readonly WantedPiece[]
}

/**
 * From the first byte on, as far as there is no gap. Pieces may overlap: when a connection hangs and its client goes on over another,
 * both may be stored. Whichever is taken, they are the same bytes of the same recording.
 */
export function rowOf(pieces: readonly StoredObject[]): Row {
  const sorted = pieces
    .map(({ key, sizeBytes }) => ({ key, start: startOfPiece(key), end: startOfPiece(key) + sizeBytes }))
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
  const wanted: WantedPiece[] = []
  let reached = 0
  let farthest: (typeof sorted)[number] | undefined
  const take = (): void => {
    if (!farthest || farthest.end <= reached) return
    wanted.push({ key: farthest.key, skipBytes: reached - farthest.start })
    reached = farthest.end
  }
  for (const piece of sorted) {
    if (piece.start > reached) take()
    if (piece.start > reached) break
    if (!farthest || piece.end > farthest.end) farthest = piece
  }
  take()
  return { sizeBytes: reached, wanted }
}

interface Cutting {
  /** Whether anything is left. */
  hasMore(): Promise<boolean>
  /** The next bytes, at most so many. */
  next(maxBytes: number): AsyncIterable<Uint8Array>
}

/** Cuts what comes into pieces, each of which is a stream of its own. */
export function cut(source: AsyncIterable<Uint8Array>): Cutting {
  const iterator = source[Symbol.asyncIterator]()
  let held: Uint8Array | undefined
  const hasMore = async (): Promise<boolean> => {
    while (!held || held.length === 0) {
      const { done, value } = await iterator.next()
      if (done === true) return false
      held = value
    }
    return true
  }
  return {
    hasMore,
    async *next(maxBytes) {
      for (let left = maxBytes; left > 0 && (await hasMore());) {
        const fitting = held!.subarray(0, left)
        held = held!.subarray(fitting.length)
        left -= fitting.length
        yield fitting
      }
    },
  }
}
