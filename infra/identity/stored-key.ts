import { randomBytes } from 'node:crypto'

import { usualScopes } from '../../actors/identity.ts'
import type { KeyScope, OwnKey } from '../../actors/identity.ts'
import type { Owner } from '../../actors/ids.ts'

/** What is kept of an API key: never the key itself. */
export interface StoredKey {
  readonly issuer: string
  readonly user: string
  readonly label: string
  /** Of the secret part, which has 256 random bits: no slow hash is needed to keep it from being guessed. */
  readonly sha256?: string
  /** In its place where there is a secret to key it with. */
  readonly hmac?: string
  /** Over all the rest, and the id: see `key-seal.ts`. */
  readonly seal?: string
  readonly createdAtMs: number
  readonly untilMs?: number
  /** Keys of the first version have none, and may what all could then. */
  readonly scopes?: readonly KeyScope[]
  /** The key that it was made with: it goes when that is revoked. */
  readonly madeBy?: string
  readonly replacedBy?: string
}

/** That a user has a key: so that one's own are found without reading everybody's. */
export interface KeptForOwner {
  readonly keyId: string
}

const idBytes = 8
const secretBytes = 32
const keyForm = /^vaak_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/
const idForm = /^[0-9a-f]{16}$/

export function isKeyId(text: string): boolean {
  return idForm.test(text)
}

export function newKeyId(): string {
  return randomBytes(idBytes).toString('hex')
}

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url')
}

export function keyText(id: string, secret: string): string {
  return `vaak_${id}_${secret}`
}

export interface KeyParts {
  readonly id: string
  readonly secret: string
}

export function readKeyText(text: string): KeyParts | undefined {
  const [, id, secret] = keyForm.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

export function scopesOf({ scopes }: Pick<StoredKey, 'scopes'>): readonly KeyScope[] {
  return scopes ?? usualScopes
}

export function hasEnded({ untilMs }: Pick<StoredKey, 'untilMs'>, nowMs: number): boolean {
  return untilMs !== undefined && untilMs <= nowMs
}

export function ownKey(id: string, stored: StoredKey, lastUsedAtMs?: number): OwnKey {
  const { label, createdAtMs, untilMs, replacedBy } = stored
  return {
    id,
    label,
    scopes: scopesOf(stored),
    createdAtMs,
    ...(untilMs !== undefined && { untilMs }),
    ...(lastUsedAtMs !== undefined && { lastUsedAtMs }),
    ...(replacedBy !== undefined && { replacedBy }),
  }
}

export function recordKey(id: string): string {
  return `key.${id}`
}

/** What all keys of a user are kept under. */
export function ownPrefix(owner: Owner): string {
  return `own.${owner}`
}

export function keptKey(owner: Owner, id: string): string {
  return `${ownPrefix(owner)}.${id}`
}
