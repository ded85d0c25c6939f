import { statfs } from 'node:fs/promises'

import { away } from '../../actors/failure.ts'
import type { Room } from '../../actors/upload/ports.ts'

interface RoomOptions {
  readonly folder: string
  /** Of its disk, what is never used by what is written through here. */
  readonly reserveBytes: number
}

/** What is set aside for a stream at once. */
const stepBytes = 1024 * 1024
/** So many steps may have passed and not be on the disk, where they are counted, yet: who writes gathers a piece while another is written. */
const stepsUnwritten = 3

/**
 * The room on the disk of a folder. Nobody says how much will come, or says the truth about it: it is set aside as it comes, in
 * steps, so that all that are under way together leave the reserve alone, and none has more than it writes.
 */
export function openRoom({ folder, reserveBytes }: RoomOptions): Room {
  let setAsideBytes = 0
  const leftBytes = async (): Promise<number> => {
    const disk = await statfs(folder)
    return disk.bavail * disk.bsize - reserveBytes - setAsideBytes
  }
  const setAside = async (neededBytes: number): Promise<number> => {
    const left = await leftBytes()
    if (left < neededBytes) throw noRoom()
    const bytes = Math.max(neededBytes, Math.min(stepBytes, left))
    setAsideBytes += bytes
    return bytes
  }

  return {
    async check(expectedBytes) {
      if ((await leftBytes()) < expectedBytes) throw tooLittleFor(expectedBytes)
    },
    async *pass(source) {
      const held: number[] = []
      let unusedBytes = 0
      try {
        for await (const chunk of source) {
          if (chunk.length > unusedBytes) {
            unusedBytes = await setAside(chunk.length)
            held.push(unusedBytes)
            if (held.length > stepsUnwritten) setAsideBytes -= held.shift()!
          }
          unusedBytes -= chunk.length
          yield chunk
        }
      } finally {
        for (const bytes of held) setAsideBytes -= bytes
      }
    },
  }
}

/** Of what is not on a disk of this machine. */
export const unboundedRoom: Room = { check: () => Promise.resolve(), pass: (source) => source }

/** As the disk itself would say it: who writes to it knows what that means there. */
function noRoom(): Error {
  return Object.assign(new Error('what is left of the disk is reserved'), { code: 'ENOSPC' })
}

function tooLittleFor(expectedBytes: number): Error {
  return away(
    'disk_full',
    `This server has no room for an upload of ${expectedBytes} bytes at the moment. Nothing was kept; try again later.`,
  )
}
