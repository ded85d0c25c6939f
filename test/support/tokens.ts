import type { ExecutionContext } from 'ava'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { CryptoKey, JSONWebKeySet, JWK } from 'jose'

import { FailureError } from '../../actors/failure.ts'
import type { Failure } from '../../actors/failure.ts'

export const issuer = 'https://issuer.example'
export const audience = 'vaak'

/** A signing key of an issuer, and the half of it that is published. */
export interface SigningKey {
  readonly kid: string
  readonly algorithm: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

export async function aSigningKey(kid: string, algorithm = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }
  return { kid, algorithm, privateKey, publicKey, jwk }
}

export function jwksOf(...keys: SigningKey[]): JSONWebKeySet {
  return { keys: keys.map(({ jwk }) => jwk) }
}

/** A token that is good unless `claims` or `header` make it bad; a value of `undefined` leaves the member out. */
export function aToken(
  key: SigningKey,
  nowMs: number,
  changes: { claims?: Record<string, unknown>; header?: Record<string, unknown> } = {},
): Promise<string> {
  const nowSeconds = Math.floor(nowMs / 1_000)
  const claims = { iss: issuer, aud: audience, sub: 'asha', exp: nowSeconds + 600, iat: nowSeconds, ...changes.claims }
  const crit = Object.fromEntries(Object.keys(changes.header ?? {}).map((name) => [name, true]))
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, ...changes.header })
    .sign(key.privateKey, { crit })
}

/** The failure a promise rejects with; anything else fails the test. */
export async function failureOf(t: ExecutionContext, promise: Promise<unknown>): Promise<Failure> {
  const error = await t.throwsAsync(promise, { instanceOf: FailureError })
  if (!error) throw new Error('nothing was thrown')
  return error.failure
}
