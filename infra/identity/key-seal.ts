import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

import type { Stored } from '../../actors/ports.ts'
import type { StoredKey } from './stored-key.ts'

/** What records of keys are sealed with: it is known to those who let people in, and not to the broker. */
export interface KeySecret {
  readonly text: string
  /** By the broker's clock: since when every record is sealed. Absent: who knows. */
  readonly sinceMs?: number
}

/** A key before its secret part was drawn. */
export type KeyDraft = Omit<StoredKey, 'sha256' | 'hmac' | 'seal'>

/** `old`: a good one from before there was a seal. `foreign`: made or changed by somebody who merely writes to the broker. */
type Origin = 'sealed' | 'old' | 'foreign'

export interface KeySeal {
  /** The record of a key with this secret part. */
  made(id: string, draft: KeyDraft, secret: string): StoredKey
  /** The same key with something else about it changed. */
  changed(id: string, key: StoredKey): StoredKey
  matches(key: StoredKey, secret: string): boolean
  isSealed(id: string, key: StoredKey): boolean
  originOf(id: string, found: Stored<StoredKey>): Origin
}

const derivedBytes = 32

export function openKeySeal(secret: KeySecret | undefined): KeySeal {
  return secret ? sealWith(secret) : noSeal
}

/** Where there is no secret, whoever writes to the broker is trusted. */
const noSeal: KeySeal = {
  made: (_, draft, secret) => ({ ...draft, sha256: sha256Of(secret) }),
  changed: (_, key) => key,
  matches: ({ sha256 }, secret) => isSame(sha256, sha256Of(secret)),
  isSealed: () => true,
  originOf: () => 'sealed',
}

function sealWith({ text, sinceMs = Infinity }: KeySecret): KeySeal {
  const derived = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', text, '', `vaak api key ${use}`, derivedBytes))
  const [hashing, sealing] = [derived('hashes'), derived('records')]
  const hmacOf = (secret: string): string => createHmac('sha256', hashing).update(secret).digest('base64url')
  const sealOf = (id: string, key: StoredKey): string =>
    createHmac('sha256', sealing).update(contentOf(id, key)).digest('base64url')
  const changed = (id: string, key: StoredKey): StoredKey => ({ ...key, seal: sealOf(id, key) })
  const isSealed = (id: string, key: StoredKey): boolean => isSame(key.seal, sealOf(id, key))
  return {
    changed,
    isSealed,
    made: (id, draft, secret) => changed(id, { ...draft, hmac: hmacOf(secret) }),
    matches: ({ sha256, hmac }, secret) =>
      hmac === undefined ? isSame(sha256, sha256Of(secret)) : isSame(hmac, hmacOf(secret)),
    originOf(id, { value, storedAtMs }) {
      if (isSealed(id, value)) return 'sealed'
      return value.seal === undefined && value.hmac === undefined && storedAtMs < sinceMs ? 'old' : 'foreign'
    },
  }
}

function contentOf(id: string, key: StoredKey): string {
  const { issuer, user, label, createdAtMs, untilMs, scopes, madeBy, replacedBy, sha256, hmac } = key
  return JSON.stringify([id, issuer, user, label, createdAtMs, untilMs, scopes, madeBy, replacedBy, sha256, hmac])
}

function sha256Of(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** What was put there by others may be of any kind. */
function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
