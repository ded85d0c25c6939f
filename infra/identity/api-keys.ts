import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import { terminal } from '../../actors/failure.ts'
import type { Identify } from '../../actors/identity.ts'
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

export interface ListedKey extends Omit<StoredKey, 'sha256' | 'issuer'> {
  readonly id: string
}

export interface ApiKeys {
  readonly identify: Identify
  /** Resolves with the key, which nobody can read again. */
  create(of: { user: string; label: string; days?: number }): Promise<{ id: string; key: string }>
  list(): Promise<readonly ListedKey[]>
  /** False when there is no such key. */
  revoke(id: string): Promise<boolean>
  /** Those of the ids whose keys are no more. */
  readonly revoked: (ids: readonly string[]) => Promise<readonly string[]>
}

export interface ApiKeysOptions {
  readonly records: Records<StoredKey>
  /** Whose users the keys are for: the same as that of the tokens, so that both own the same things. */
  readonly issuer: string
  readonly clock: Pick<Clock, 'nowMs'>
}

const idBytes = 8
const secretBytes = 32
const msPerDay = 86_400_000
const keyForm = /^vaak_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/
const idForm = /^[0-9a-f]{16}$/

export function isApiKey(credential: string): boolean {
  return credential.startsWith('vaak_')
}

export function openApiKeys({ records, issuer, clock }: ApiKeysOptions): ApiKeys {
  return {
    async identify(credential) {
      const [, id, secret] = keyForm.exec(credential) ?? []
      if (id === undefined || secret === undefined)
        throw terminal('unauthenticated', 'The API key is incomplete: keys look like vaak_<id>_<secret>.')
      const found = await records.read(recordKey(id))
      if (!found || !isSame(found.value.sha256, hashOf(secret)))
        throw terminal('unauthenticated', 'The API key is not known, or was revoked.')
      const { untilMs, user } = found.value
      if (untilMs !== undefined && untilMs <= clock.nowMs())
        throw terminal('unauthenticated', 'The API key has expired. Ask for a new one.')
      return { principal: principalOf(found.value.issuer, user), keyId: id, ...(untilMs !== undefined && { untilMs }) }
    },
    async create({ user, label, days }) {
      const id = randomBytes(idBytes).toString('hex')
      const secret = randomBytes(secretBytes).toString('base64url')
      const createdAtMs = clock.nowMs()
      const stored = await records.create(recordKey(id), {
        issuer,
        user: user.normalize('NFC'),
        label,
        sha256: hashOf(secret),
        createdAtMs,
        ...(days !== undefined && { untilMs: createdAtMs + days * msPerDay }),
      })
      if (stored === 'exists') throw new Error('two API keys drew the same id')
      return { id, key: `vaak_${id}_${secret}` }
    },
    async list() {
      const found = await records.readUnder('key')
      return [...found]
        .map(([key, stored]) => listed(key.slice('key.'.length), stored))
        .sort((one, other) => one.createdAtMs - other.createdAtMs)
    },
    async revoke(id) {
      if (!idForm.test(id) || !(await records.read(recordKey(id)))) return false
      await records.remove(recordKey(id))
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

function listed(id: string, { user, label, createdAtMs, untilMs }: StoredKey): ListedKey {
  return { id, user, label, createdAtMs, ...(untilMs !== undefined && { untilMs }) }
}

function recordKey(id: string): string {
  return `key.${id}`
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
