import { recogniserRate } from '../conversation/ports.ts'
import type { Blobs } from '../ports.ts'
import { readStoredJson } from '../stored-json.ts'
import { wholeBytes } from '../whole-bytes.ts'
import {
  begunRecordings,
  begunRecordingKey,
  endedRecordings,
  endedRecordingKey,
  recordingPieceKey,
  recordingFolder,
  recordingObstacleFolder,
  placeOfPiece,
  refInKey,
} from './keys.ts'
import { hintsInAll } from './hints.ts'
import { endFrame, inOneRow } from './piece-order.ts'
import type { FoundPiece, PlacedPiece } from './piece-order.ts'
import { recordedFrameSamples } from './ports.ts'
import type {
  BegunRecording,
  SessionTurn,
  RecordedFrame,
  RecordingHints,
  RecordingNotes,
  RecordingObstacle,
  RecordingPiece,
  RecordingRef,
  SessionRecordings,
  StoredRecording,
} from './ports.ts'

interface Begun extends BegunRecording {
  readonly version: typeof begunVersion
}

const begunVersion = 1

/** That it was begun is stored before its first piece and removed last: whatever is left of a recording is found through it. */
export function openSessionRecordings(blobs: Blobs): SessionRecordings {
  return {
    async begin(recording) {
      const begun: Begun = { version: begunVersion, ...recording }
      await blobs.put(begunRecordingKey(recording), { bytes: Buffer.from(JSON.stringify(begun)) }, { ifAbsent: true })
    },
    async append(ref, writer, piece) {
      const place = { firstFrame: piece.firstFrame, frames: piece.frames.length, writer }
      await blobs.put(recordingPieceKey(ref, place), { bytes: bytesOf(piece) })
    },
    async end(ref) {
      await blobs.put(endedRecordingKey(ref), { bytes: new Uint8Array() })
    },
    async find(ref) {
      const begun = await readStoredJson<Partial<Begun>>(blobs, begunRecordingKey(ref))
      if (!begun) return undefined
      if (begun.version !== begunVersion) return 'newer'
      const { version: _, ...recording } = begun
      return recording as BegunRecording // as: of this version, so we wrote it
    },
    ended: () => refsBelow(blobs, endedRecordings),
    begun: () => refsBelow(blobs, begunRecordings),
    read: (ref) => readRecording(blobs, ref),
    obstacle: (ref) => readObstacle(blobs, ref),
    async setObstacle(ref, obstacle) {
      const folder = recordingObstacleFolder(ref)
      if (obstacle) await blobs.put(`${folder}now`, { bytes: Buffer.from(JSON.stringify(obstacle)) })
      else await blobs.removeAll(folder)
    },
    async drop(ref) {
      await blobs.removeAll(recordingObstacleFolder(ref))
      await blobs.removeAll(recordingFolder(ref))
      await blobs.remove(endedRecordingKey(ref))
      await blobs.remove(begunRecordingKey(ref))
    },
  }
}

/** Looked for by its name first: who may only list, and read what is there, is refused what is not. */
async function readObstacle(blobs: Blobs, ref: RecordingRef): Promise<RecordingObstacle | undefined> {
  for await (const { key } of blobs.list(recordingObstacleFolder(ref)))
    return readStoredJson<RecordingObstacle>(blobs, key)
  return undefined
}

async function refsBelow(blobs: Blobs, folder: string): Promise<RecordingRef[]> {
  const refs: RecordingRef[] = []
  for await (const { key } of blobs.list(folder)) {
    const ref = refInKey(key)
    if (ref) refs.push(ref)
  }
  return refs
}

/** Before its frames: where they end, and the turns, in a line. */
interface PieceHead {
  readonly lengths: readonly number[]
  readonly turns: readonly SessionTurn[]
  /** Absent in what an earlier version stored. */
  readonly hints?: RecordingHints
}

function bytesOf({ frames, turns, hints }: RecordingPiece): Uint8Array {
  const head: PieceHead = { lengths: frames.map(({ length }) => length), turns, hints }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...frames])
}

async function readRecording(blobs: Blobs, ref: RecordingRef): Promise<StoredRecording> {
  const found: FoundPiece[] = []
  for await (const object of blobs.list(recordingFolder(ref))) {
    const place = placeOfPiece(object.key)
    if (place) found.push({ ...object, ...place })
  }
  const pieces = inOneRow(found)
  return {
    frames: Math.max(0, ...pieces.map(endFrame)),
    sizeBytes: pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    notes: () => notesOf(blobs, pieces),
    content: () => framesOf(blobs, pieces),
  }
}

async function notesOf(blobs: Blobs, pieces: readonly PlacedPiece[]): Promise<RecordingNotes> {
  const byItem = new Map<string, SessionTurn>()
  const hints: RecordingHints[] = []
  for (const place of pieces) {
    const piece = await openPiece(blobs, place)
    for (const turn of piece.turns) byItem.set(turn.item_id, laterBy(place.laterFrames, turn))
    hints.push(piece.hints)
  }
  const turns = [...byItem.values()].toSorted((one, other) => one.start - other.start)
  return { turns, hints: hintsInAll(hints) }
}

function laterBy(frames: number, turn: SessionTurn): SessionTurn {
  if (frames === 0) return turn
  const laterMs = (1_000 * frames * recordedFrameSamples) / recogniserRate
  const moved = (seconds: number): number => Math.round(1_000 * seconds + laterMs) / 1_000
  return { ...turn, start: moved(turn.start), end: moved(turn.end) }
}

async function* framesOf(blobs: Blobs, pieces: readonly PlacedPiece[]): AsyncIterable<RecordedFrame> {
  for (const piece of pieces) {
    const { frames } = await openPiece(blobs, piece)
    for (const [index, bytes] of frames.entries()) yield { number: piece.firstFrame + piece.laterFrames + index, bytes }
  }
}

async function openPiece(blobs: Blobs, { key, firstFrame }: PlacedPiece): Promise<RecordingPiece> {
  const bytes = await wholeBytes(await blobs.open(key))
  const headEnd = bytes.indexOf('\n')
  const { lengths, turns, hints = {} } = JSON.parse(bytes.toString('utf8', 0, headEnd)) as PieceHead // as: our own processes wrote it
  let at = headEnd + 1
  const frames = lengths.map((length) => bytes.subarray(at, (at += length)))
  return { firstFrame, frames, turns, hints }
}
