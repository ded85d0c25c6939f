import { countPlaces } from '../../../actors/place-count.ts'
import type { Planner } from '../../../actors/run/ports.ts'
import type { SecretHeaders } from '../../../actors/secret-headers.ts'
import type { Room } from '../../../actors/upload/ports.ts'
import { unboundedRoom } from '../../blobs/room.ts'
import type { WorkFolder } from './work-folder.ts'

/** Brings what a URL names to `path`, a file that is not there yet. Refusals are terminal, with a sentence. */
export type FetchRemote = (
  url: string,
  path: string,
  options: {
    readonly headers?: SecretHeaders
    readonly signal: AbortSignal
    readonly room: Pick<Room, 'pass'>
  },
) => Promise<{ readonly sizeBytes: number }>

/** Sources that one worker fetches at the same time. */
export interface FetchShares {
  readonly all: number
  readonly perUser: number
}

export interface FetchParts {
  readonly folder: Pick<WorkFolder, 'nextFile'>
  readonly fetchRemote: FetchRemote
  /** Absent: as many as are asked for. */
  readonly fetchShares?: FetchShares
  /** On the disk where recordings lie while they are decoded; absent: all there is. */
  readonly room?: Pick<Room, 'pass'>
}

/** Slow servers keep places from those who named them, and from nobody else. */
export function openFetching(parts: FetchParts): Planner['fetch'] {
  const { folder, fetchRemote, fetchShares = { all: Infinity, perUser: Infinity }, room = unboundedRoom } = parts
  const places = countPlaces()
  return async ({ owner, source }, signal) => {
    if (source.type !== 'url') return undefined
    if (places.taken >= fetchShares.all || places.takenBy(owner) >= fetchShares.perUser) return 'busy'
    places.take(owner)
    const file = folder.nextFile()
    try {
      const { url, headers } = source
      await fetchRemote(url, file.path, { ...(headers && { headers }), signal, room })
      return file
    } catch (error) {
      await file.drop()
      throw error
    } finally {
      places.give(owner)
    }
  }
}
