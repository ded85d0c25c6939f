import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { operatorUser } from '../nats/topology/roles.ts'
import type { BrokerRole } from '../nats/topology/roles.ts'
import { brokerUsers } from './users.ts'

/** Where the server listens and who may enter. Drawn afresh at each start of ours, kept when only the child restarts. */
export interface NatsAddress {
  readonly url: string
  readonly port: number
  /** The operator, who may do everything. */
  readonly user: string
  readonly pass: string
  readonly rolePasswords: Readonly<Record<BrokerRole, string>>
}

interface StoreOptions {
  /** 0 leaves it to the server. */
  readonly maxFileStoreBytes?: number
  readonly isEncrypted?: boolean
}

const fileName = 'nats-server.conf'
/** Where the server finds what it encrypts with: its settings refer to it, and lie beside the store. */
export const storeKeyVariable = 'VAAK_STORE_KEY'
/** Without quotation marks it is a variable, and the one place that is not JSON. */
const storeKeyMark = `$${storeKeyVariable}`
const secretBytes = 24
const maxPayloadBytes = 1024 * 1024
const maxConnections = 1_024
const maxMemoryStoreBytes = 256 * 1024 * 1024

export function newAddress(port: number): NatsAddress {
  const rolePasswords = { gateway: newPassword(), worker: newPassword(), realtime: newPassword() }
  return { url: urlOf(port), port, user: operatorUser, pass: newPassword(), rolePasswords }
}

function newPassword(): string {
  return randomBytes(secretBytes).toString('base64url')
}

function urlOf(port: number): string {
  return `nats://127.0.0.1:${port}`
}

/** The secret is in this file, readable by its owner only, and not in the arguments, which everyone on the machine sees. */
export async function writeSettings(
  storeDir: string,
  address: NatsAddress,
  options: StoreOptions = {},
): Promise<string> {
  await mkdir(storeDir, { recursive: true, mode: 0o700 })
  const path = join(storeDir, fileName)
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, settingsText(storeDir, address, options), { mode: 0o600 })
  await rename(draft, path)
  return path
}

/** Of the server that was last started on this store, for commands on the same machine; it may have ended since. */
export async function readListenAddress(storeDir: string): Promise<Omit<NatsAddress, 'rolePasswords'> | undefined> {
  const written = await readWritten(storeDir)
  if (!written) return undefined
  const { port, authorization } = written
  const { user, password: pass } = 'users' in authorization ? authorization.users[0] : authorization
  return { url: urlOf(port), port, user, pass }
}

/** How that server keeps what it is given. */
export async function readStoreSettings(storeDir: string) {
  return (await readWritten(storeDir))?.jetstream
}

async function readWritten(storeDir: string) {
  const text = await readFile(join(storeDir, fileName), 'utf8').catch(() => undefined)
  return text === undefined
    ? undefined
    : writtenSchema.parse(JSON.parse(text.replace(storeKeyMark, `"${storeKeyMark}"`)))
}

const userSchema = z.object({ user: z.string(), password: z.string() })
const writtenSchema = z.object({
  port: z.number(),
  // the version before had one user only
  authorization: z.union([z.object({ users: z.tuple([userSchema], userSchema) }), userSchema]),
  jetstream: z.object({ sync_interval: z.string().optional(), max_file_store: z.number().optional() }),
})

/** How long a client may take to say who it is; two seconds unless told, which a machine with too much to do exceeds. */
export const introductionSeconds = 15

/** nats-server reads JSON as a subset of its own format, which spares us its rules of quoting. */
export function settingsText(storeDir: string, address: NatsAddress, options: StoreOptions = {}): string {
  const { port, pass, rolePasswords } = address
  const users = brokerUsers((user) => (user === operatorUser ? pass : rolePasswords[user]))
  const { maxFileStoreBytes = 0, isEncrypted = false } = options
  const text = JSON.stringify(
    {
      server_name: 'vaak',
      host: '127.0.0.1',
      port,
      authorization: { users, timeout: introductionSeconds },
      max_payload: maxPayloadBytes,
      max_connections: maxConnections,
      jetstream: {
        store_dir: storeDir,
        // The default syncs every two minutes: a power cut would take back what was acknowledged.
        sync_interval: 'always',
        max_memory_store: maxMemoryStoreBytes,
        // what does not fit is refused then, and not half written
        ...(maxFileStoreBytes > 0 && { max_file_store: maxFileStoreBytes }),
        ...(isEncrypted && { cipher: 'chachapoly', key: storeKeyMark }),
      },
    },
    null,
    2,
  )
  return text.replace(`"${storeKeyMark}"`, storeKeyMark)
}
