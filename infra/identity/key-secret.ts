import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { z } from 'zod'

import type { Config } from '../config/config.ts'
import type { KeySecret } from './key-seal.ts'
import { lastingFile } from './lasting-file.ts'

const secretBytes = 32
const fileSchema = z.object({ text: z.string().min(1), sinceMs: z.number() })

/** As the settings have it, or that of the private broker under DATA_DIR. None for a broker of somebody else's without KEY_SECRET. */
export async function keySecretOf(config: Config): Promise<KeySecret | undefined> {
  const { keySecret: text, keySecretSince, natsUrl, dataDir } = config
  if (text !== '') return { text, ...(keySecretSince !== '' && { sinceMs: Date.parse(keySecretSince) }) }
  return natsUrl === '' ? ownKeySecret(join(dataDir, 'identity')) : undefined
}

async function ownKeySecret(folder: string): Promise<KeySecret> {
  const file = { folder, name: 'key-secret.json', what: 'The secret of API keys', make: drawn }
  return fileSchema.parse(JSON.parse(await lastingFile(file)))
}

/** Whoever draws it seals every record from then on. */
function drawn(): string {
  return JSON.stringify({ text: randomBytes(secretBytes).toString('base64url'), sinceMs: Date.now() })
}
