import { mkdir, readdir, readFile, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isGatewayId, isUploadId } from '../../actors/ids.ts'
import type { GatewayId } from '../../actors/ids.ts'
import type { Hashing, Spools } from '../../actors/upload/ports.ts'
import { syncFolder } from '../blobs/durable-folders.ts'
import { openRoom } from '../blobs/room.ts'
import { codeOf } from '../process/error-code.ts'
import { removeDurably } from './durable.ts'
import { incoming, openSpool } from './spool.ts'

const prefix = 'gateway-'
/** In folders of before: whose all of it was. */
const formerName = 'gateway-id'
const folderMode = 0o700
const notRemoved = new Set(['ENOTEMPTY', 'EEXIST'])

/** One folder a gateway, below one that several may share. Who may touch which is decided by leases, not here. */
export async function openSpools(input: { folder: string; reserveBytes: number; hashing: Hashing }): Promise<Spools> {
  const { folder, hashing } = input
  const room = openRoom(input)
  const pathOf = (gatewayId: GatewayId): string => spoolPath(folder, gatewayId)
  await mkdir(folder, { recursive: true, mode: folderMode })
  return {
    async ids() {
      const names = (await readdir(folder)).sort()
      return names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : [])).filter(isGatewayId)
    },
    async former() {
      const id = await readFile(join(folder, formerName), 'utf8').catch(() => '')
      if (!isGatewayId(id)) return undefined
      await moveInto(pathOf(id), folder)
      return id
    },
    forgetFormer: () => removeDurably(join(folder, formerName)),
    async open(gatewayId) {
      await mkdir(pathOf(gatewayId), { recursive: true, mode: folderMode })
      await syncFolder(folder)
      return openSpool({ gatewayId, folder: pathOf(gatewayId), room, hashing })
    },
    async remove(gatewayId) {
      try {
        await rmdir(pathOf(gatewayId))
      } catch (error) {
        if (notRemoved.has(codeOf(error))) return false
        if (codeOf(error) !== 'ENOENT') throw error
      }
      return true
    },
  }
}

export function spoolPath(folder: string, gatewayId: GatewayId): string {
  return join(folder, prefix + gatewayId)
}

async function moveInto(spool: string, folder: string): Promise<void> {
  await mkdir(spool, { recursive: true, mode: folderMode })
  for (const name of await readdir(folder))
    if (isUploadId(name.replace(incoming, ''))) await rename(join(folder, name), join(spool, name))
  await syncFolder(spool)
}
