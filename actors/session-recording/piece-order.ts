import type { StoredObject } from '../ports.ts'

/** A piece as its writer placed it. */
export interface FoundPiece extends StoredObject {
  readonly firstFrame: number
  readonly frames: number
  readonly writer: string
}

export interface PlacedPiece extends FoundPiece {
  /** So much later it lies in the recording than its writer said. */
  readonly laterFrames: number
}

/**
 * Each server of a session places sound by its own clock, and two may both have had the session for a moment. Nothing is lost where they say the
 * same place: what the later server wrote follows what the earlier one wrote.
 */
export function inOneRow(found: readonly FoundPiece[]): PlacedPiece[] {
  const inTime = found.toSorted((one, other) => one.firstFrame - other.firstFrame)
  const writers = new Set(inTime.map(({ writer }) => writer))
  const placed: PlacedPiece[] = []
  let end = 0
  for (const writer of writers) {
    const pieces = inTime.filter((piece) => piece.writer === writer)
    const laterFrames = Math.max(0, end - pieces[0]!.firstFrame)
    placed.push(...pieces.map((piece) => ({ ...piece, laterFrames })))
    end = endFrame(placed.at(-1)!)
  }
  return placed
}

export function endFrame({ firstFrame, frames, laterFrames }: PlacedPiece): number {
  return firstFrame + frames + laterFrames
}
