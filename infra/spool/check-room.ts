import { statfs } from 'node:fs/promises'

import { away } from '../../actors/failure.ts'

interface RoomOptions {
  readonly folder: string
  /** Of its disk, what uploads never use. */
  readonly reserveBytes: number
}

/** Refuses what is larger than the room, before any of it is sent. */
export async function checkRoom(expectedBytes: number, { folder, reserveBytes }: RoomOptions): Promise<void> {
  const disk = await statfs(folder)
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes - reserveBytes >= expectedBytes) return
  throw away(
    'disk_full',
    `This server has no room for an upload of ${expectedBytes} bytes at the moment. Nothing was kept; try again later.`,
  )
}
