import { fileFolder, isFileId, isOwner } from '../ids.ts'
import type { RecordingRef } from './ports.ts'

/** Where recordings of sessions lie in storage while they are none of a user's files yet. Each ends in `/`. */
const folder = 'session-recordings/'
export const begunRecordings = `${folder}begun/`
export const endedRecordings = `${folder}ended/`

export function begunRecordingKey({ owner, fileId }: RecordingRef): string {
  return `${begunRecordings}${owner}/${fileId}`
}

export function endedRecordingKey({ owner, fileId }: RecordingRef): string {
  return `${endedRecordings}${owner}/${fileId}`
}

/** One object is below it, or none. */
export function recordingObstacleFolder({ owner, fileId }: RecordingRef): string {
  return `${folder}obstacles/${owner}/${fileId}/`
}

export function recordingFolder({ owner, fileId }: RecordingRef): string {
  return `${folder}pieces/${owner}/${fileId}/`
}

/** Where a piece lies by the clock of its writer. */
interface PiecePlace {
  readonly firstFrame: number
  readonly frames: number
  readonly writer: string
}

/** In the order of their frames. */
export function recordingPieceKey(ref: RecordingRef, { firstFrame, frames, writer }: PiecePlace): string {
  return `${recordingFolder(ref)}${String(firstFrame).padStart(10, '0')}-${frames}.${writer}`
}

export function placeOfPiece(key: string): PiecePlace | undefined {
  const [, firstFrame, frames, writer] = /\/(\d{10})-(\d{1,6})\.([\w-]+)$/.exec(key) ?? []
  return writer === undefined ? undefined : { firstFrame: Number(firstFrame), frames: Number(frames), writer }
}

export function refInKey(key: string): RecordingRef | undefined {
  const [owner = '', fileId = ''] = key.split('/').slice(2)
  return isOwner(owner) && isFileId(fileId) ? { owner, fileId } : undefined
}

/** With everything else that is made of a file. */
export function turnsKey(ref: RecordingRef): string {
  return `${fileFolder(ref)}turns`
}
