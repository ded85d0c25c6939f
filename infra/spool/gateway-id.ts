import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writeDurably } from './durable.ts'

/** The same for every start of the gateway that owns this spool. */
export async function gatewayIdOf(spoolFolder: string): Promise<string> {
  const path = join(spoolFolder, 'gateway-id')
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known) return known
  const gatewayId = randomUUID()
  await writeDurably(path, gatewayId)
  return gatewayId
}
