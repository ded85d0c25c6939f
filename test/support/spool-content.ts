import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isGatewayId, isUploadId } from '../../actors/ids.ts'
import type { GatewayId } from '../../actors/ids.ts'

const prefix = 'gateway-'

/** Whose spools are in a folder. */
export async function gatewaysIn(folder: string): Promise<GatewayId[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix))
  return names.map((name) => name.slice(prefix.length)).filter(isGatewayId)
}

/** Of a gateway that has a folder to itself. */
export async function onlyGatewayIn(folder: string): Promise<GatewayId> {
  const [gatewayId, ...others] = await gatewaysIn(folder)
  if (gatewayId === undefined || others.length > 0) throw new Error(`${others.length + 1} spools in ${folder}`)
  return gatewayId
}

/** Uploads that wait in the spools of a folder, and those that are being received. */
export async function spoolContent(folder: string): Promise<string[]> {
  const spools = await gatewaysIn(folder)
  // one that is empty may be removed meanwhile
  const names = await Promise.all(spools.map((id) => readdir(join(folder, prefix + id)).catch(() => [])))
  return names.flat().filter((name) => isUploadId(name.replace(/^incoming-/, '')))
}
