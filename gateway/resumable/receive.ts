import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { ResumableRef } from '../../actors/ids.ts'
import type { ReceivedBytes, Room } from '../../actors/upload/ports.ts'
import type { ResumableUpload } from '../../actors/upload/state.ts'
import { watchPace } from '../files/pace.ts'
import type { PaceLimits } from '../files/pace.ts'
import { inviteBody } from '../invite-body.ts'
import type { UserPlaces } from '../places.ts'
import type { Request } from '../route.ts'
import { openPieceBody, tooMuch } from './body.ts'
import type { PieceBody } from './body.ts'
import { finishUpload, finishedUpload } from './finish.ts'
import type { FinishedUpload, FinishPorts } from './finish.ts'
import { locked } from './turns.ts'
import type { UploadTurns } from './turns.ts'

export interface ResumablePorts extends FinishPorts {
  /** Of the disk below the storage. */
  readonly resumableRoom: Pick<Room, 'check'>
}

export interface ResumableLimits extends PaceLimits {
  readonly maxFileBytes: number
  /** Uploads that one user may have begun and not finished. */
  readonly maxOpen: number
  readonly lifetimeMs: number
  /** Bytes that their user has stored already are stored once. */
  readonly deduplicates: boolean
}

/** Everything that the routes of resumable uploads share. */
export interface ResumableParts {
  readonly ports: ResumablePorts
  readonly limits: ResumableLimits
  readonly places: UserPlaces
  readonly turns: UploadTurns
}

/** Each request leaves one or more, and they are listed with every further request. */
const piecesMax = 4_000

/** How far an upload is. */
type Standing =
  | { readonly upload: ResumableUpload; readonly received: ReceivedBytes; readonly finished?: undefined }
  | { readonly finished: FinishedUpload }

export async function resumableStanding({ ports }: ResumableParts, ref: ResumableRef): Promise<Standing> {
  // pieces first: they go after it is noted that there is no such upload any more, so that none of these is missing
  const received = await ports.resumables.received(ref)
  const upload = await ports.resumables.find(ref)
  if (upload) return { upload, received }
  const finished = await finishedUpload(ports, ref)
  if (!finished) throw terminal('not_found', 'upload not found')
  return { finished }
}

export interface Coming {
  readonly request: Pick<Request, 'id' | 'raw'>
  readonly upload: ResumableUpload
  readonly received: ReceivedBytes
}

/** Stores what comes with a request behind what came before; finishes the upload when that was all. */
export async function receivePiece(
  parts: ResumableParts,
  coming: Coming,
): Promise<{ readonly receivedBytes: number; readonly finished?: FinishedUpload }> {
  const { ports, turns, places } = parts
  const { upload, received, request } = coming
  const leftBytes = upload.sizeBytes - received.sizeBytes
  if (Number(request.raw.request.headers['content-length'] ?? 0) > leftBytes) throw tooMuch()
  if (received.pieces >= piecesMax) throw tooManyPieces()
  const body = openPieceBody(request.raw.request, leftBytes)
  const endTurn = turns.take(upload.resumableId, () => body.letGo(locked()))
  try {
    return await inPlace(places, upload, async () => {
      await ports.resumableRoom.check(leftBytes)
      const receivedBytes = await store(parts, coming, body)
      if (receivedBytes < upload.sizeBytes) return { receivedBytes }
      const all = await ports.resumables.received(upload)
      return { receivedBytes, finished: await finishUpload(ports, upload, all) }
    })
  } finally {
    endTurn()
  }
}

/** To make a file of what came takes as much as to receive it. */
async function inPlace<Result>(
  places: UserPlaces,
  { owner }: ResumableUpload,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = places.take(owner)
  try {
    return await work()
  } finally {
    leave()
  }
}

/** Of an upload whose last byte came before, with a request that was not answered. */
export async function finishNow(
  { ports, turns, places }: ResumableParts,
  { upload, received }: Omit<Coming, 'request'>,
): Promise<FinishedUpload> {
  const endTurn = turns.take(upload.resumableId, () => undefined)
  try {
    return await inPlace(places, upload, () => finishUpload(ports, upload, received))
  } finally {
    endTurn()
  }
}

async function store(
  { ports, limits }: ResumableParts,
  { upload, received, request }: Coming,
  body: PieceBody,
): Promise<number> {
  inviteBody(request.raw.request, request.raw.response)
  const stopWatching = watchPace(request.raw.request, limits, () => body.stop(tooSlow(limits)))
  try {
    const at = { startBytes: received.sizeBytes, writer: request.id }
    const endBytes = await ports.resumables.append(upload, at, body.source)
    if (body.reason) throw body.reason
    return endBytes
  } finally {
    stopWatching()
  }
}

function tooSlow({ minBytesPerSecond, patienceSeconds }: PaceLimits): FailureError {
  return terminal(
    'too_slow',
    `Less than ${minBytesPerSecond} bytes a second came for ${patienceSeconds} seconds. What came is kept.`,
  )
}

function tooManyPieces(): FailureError {
  return terminal(
    'too_large',
    `This upload came in ${piecesMax} pieces, which is the limit. Begin it again, and send more in a request.`,
  )
}
