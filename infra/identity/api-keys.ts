import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import { terminal } from '../../actors/failure.ts'
import type { Identify, OwnKey, OwnKeys } from '../../actors/identity.ts'
import type { Owner } from '../../actors/ids.ts'
import type { Clock, Records } from '../../actors/ports.ts'
import { principalOf } from './principal.ts'

/** What is kept of an API key: never the key itself. */
export interface StoredKey {
  readonly issuer: string
  readonly user: string
  readonly label: string
  /** Of the secret part, which has 256 random bits: no slow hash is needed to keep it from being guessed. */
  readonly sha256: string
  readonly createdAtMs: number
  readonly untilMs?: number
}

/** That a user has a key: so that one's own are found without reading everybody's. */
export interface KeptForOwner {
  readonly keyId: string
}

interface ListedKey extends OwnKey {
  readonly user: string
}

export interface ApiKeys extends OwnKeys {
  readonly identify: Identify
  /** Resolves with the key, which nobody can read again. */
  create(input: NewKey): Promise<{ id: string; key: string }>
  list(): Promise<readonly ListedKey[]>
  /** False when there is no such key. */
  revoke(id: string): Promise<boolean>
  /** Those of the ids whose keys are no more. */
  readonly revoked: (ids: readonly string[]) => Promise<readonly string[]>
}

interface NewKey {
  readonly user: string
  readonly label: string
  readonly days?: number
}

interface ApiKeysOptions {
  readonly records: Records<StoredKey>
  readonly kept: Records<KeptForOwner>
  /** Whose users the keys are for: the same as that of the tokens, so that both own the same things. */
  readonly issuer: string
  readonly clock: Pick<Clock, 'nowMs'>
}

const idBytes = 8
const secretBytes = 32
const msPerDay = 86_400_000
/** That a user makes for himself. */
export const ownKeysMax = 50
const keyForm = /^vaak_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/
const idForm = /^[0-9a-f]{16}$/

export function isApiKey(credential: string): boolean {
  return credential.startsWith('vaak_')
}

export function openApiKeys(options: ApiKeysOptions): ApiKeys {
  const { records, kept } = options
  return {
    listOf: (owner) => listOwn(options, owner),
    async make({ principal, ...input }) {
      if ((await listOwn(options, principal.owner)).length >= ownKeysMax)
        throw terminal('conflict', `You have ${ownKeysMax} API keys, which is the limit. Revoke one that is not used.`)
      return create(options, { ...input, user: principal.subject })
    },
    async revokeOf(owner, id) {
      if (!idForm.test(id) || !(await kept.read(keptKey(owner, id)))) return false
      await revoke(options, owner, id)
      return true
    },
    identify: (credential) => identify(options, credential),
    create: ({ user, ...input }) => create(options, { ...input, user: user.normalize('NFC') }),
    async list() {
      const found = await records.readUnder('key')
      return [...found]
        .map(([key, stored]) => ({ ...ownKey(key.slice('key.'.length), stored), user: stored.user }))
        .sort((one, other) => one.createdAtMs - other.createdAtMs)
    },
    async revoke(id) {
      const found = idForm.test(id) ? await records.read(recordKey(id)) : undefined
      if (!found) return false
      await revoke(options, principalOf(found.value.issuer, found.value.user).owner, id)
      return true
    },
    async revoked(ids) {
      const found = await records.readMany(ids.map(recordKey))
      const gone: string[] = []
      // one by one: a read of many may come from a copy that is behind, which knows a new key no more than a revoked one
      for (const id of ids) if (!found.has(recordKey(id)) && !(await records.read(recordKey(id)))) gone.push(id)
      return gone
    },
  }
}

/** First that the user has it: a key that nobody could find to revoke it would be worse than an entry without one. */
async function create(options: ApiKeysOptions, { user, label, days }: NewKey): Promise<OwnKey & { key: string }> {
  const { records, kept, issuer, clock } = options
  const id = randomBytes(idBytes).toString('hex')
  const secret = randomBytes(secretBytes).toString('base64url')
  const createdAtMs = clock.nowMs()
  const key: StoredKey = {
    issuer,
    user,
    label,
    sha256: hashOf(secret),
    createdAtMs,
    ...(days !== undefined && { untilMs: createdAtMs + days * msPerDay }),
  }
  await kept.create(keptKey(principalOf(issuer, user).owner, id), { keyId: id })
  if ((await records.create(recordKey(id), key)) === 'exists') throw new Error('two API keys drew the same id')
  return { ...ownKey(id, key), key: `vaak_${id}_${secret}` }
}

async function identify({ records, clock }: ApiKeysOptions, credential: string): ReturnType<Identify> {
  const [, id, secret] = keyForm.exec(credential) ?? []
  if (id === undefined || secret === undefined)
    throw terminal('unauthenticated', 'The API key is incomplete: keys look like vaak_<id>_<secret>.')
  const found = await records.read(recordKey(id))
  if (!found || !isSame(found.value.sha256, hashOf(secret)))
    throw terminal('unauthenticated', 'The API key is not known, or was revoked.')
  const { untilMs, user, issuer } = found.value
  if (untilMs !== undefined && untilMs <= clock.nowMs())
    throw terminal('unauthenticated', 'The API key has expired. Ask for a new one.')
  return { principal: principalOf(issuer, user), keyId: id, ...(untilMs !== undefined && { untilMs }) }
}

async function listOwn({ records, kept }: ApiKeysOptions, owner: Owner): Promise<readonly OwnKey[]> {
  const ids = [...(await kept.readUnder(`own.${owner}`)).values()].map(({ keyId }) => keyId)
  const found = await records.readMany(ids.map(recordKey))
  return ids
    .flatMap((id) => {
      const stored = found.get(recordKey(id))
      return stored ? [ownKey(id, stored)] : []
    })
    .sort((one, other) => one.createdAtMs - other.createdAtMs)
}

async function revoke({ records, kept }: ApiKeysOptions, owner: Owner, id: string): Promise<void> {
  await records.remove(recordKey(id))
  await kept.remove(keptKey(owner, id))
}

function ownKey(id: string, { label, createdAtMs, untilMs }: StoredKey): OwnKey {
  return { id, label, createdAtMs, ...(untilMs !== undefined && { untilMs }) }
}

function recordKey(id: string): string {
  return `key.${id}`
}

function keptKey(owner: Owner, id: string): string {
  return `own.${owner}.${id}`
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
