import type { Blobs, Log } from '../../actors/ports.ts'
import { openDiskBlobs } from './disk.ts'
export function openBlobs(_url: string, of: { defaultFolder: string; accessKeyId: string; secretAccessKey: string; log: Log }): Promise<Blobs> {
  return openDiskBlobs({ folder: of.defaultFolder, log: of.log })
}
