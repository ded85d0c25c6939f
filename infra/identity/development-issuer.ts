import { calculateJwkThumbprint, SignJWT } from 'jose'
import type { JSONWebKeySet } from 'jose'

import { terminal } from '../../actors/failure.ts'
import type { Clock } from '../../actors/ports.ts'

import { openDevelopmentKey } from './development-key.ts'

interface DevelopmentIssuer {
  readonly issuer: string
  readonly audience: string
  readonly jwks: () => JSONWebKeySet
  readonly sign: (request: { readonly user: string; readonly lifetimeSeconds?: number }) => Promise<string>
}

const developmentTokenLimits = Object.freeze({
  maxUserCharacters: 128,
  lifetimeSeconds: 12 * 3_600,
  maxLifetimeSeconds: 30 * 86_400,
})

const issuer = 'vaak:development'
const audience = 'vaak'
const algorithm = 'ES256'

/** Printable text; the two joiners have no ink of their own, but names in Indian scripts are spelt with them. */
const printable = /^(?:\p{L}|\p{M}|\p{N}|\p{P}|\p{S}|\u0020|\u200c|\u200d)+$/u

/** Signs tokens for whoever asks, under a key in `folder`: for a machine of one's own, never for production. */
export async function openDevelopmentIssuer(options: {
  readonly folder: string
  readonly nodeEnv: string | undefined
  readonly clock: Pick<Clock, 'nowMs'>
}): Promise<DevelopmentIssuer> {
  if (options.nodeEnv?.trim().toLowerCase() === 'production')
    throw new Error(
      'The development issuer gives a token to anyone who asks, so it does not start when NODE_ENV is production. ' +
        'Set JWKS_URL, JWT_ISSUER and JWT_AUDIENCE to those of your identity provider.',
    )
  const { privateKey, publicJwk } = await openDevelopmentKey(options.folder)
  const kid = await calculateJwkThumbprint(publicJwk)
  const jwks: JSONWebKeySet = { keys: [{ ...publicJwk, kid, alg: algorithm, use: 'sig' }] }

  return {
    issuer,
    audience,
    jwks: () => jwks,
    sign: async ({ user, lifetimeSeconds = developmentTokenLimits.lifetimeSeconds }) => {
      checkUser(user)
      checkLifetime(lifetimeSeconds)
      const nowSeconds = Math.floor(options.clock.nowMs() / 1_000)
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user.normalize('NFC')) // one name, however the keyboard composed it
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + lifetimeSeconds)
        .sign(privateKey)
    },
  }
}

function checkUser(user: string): void {
  const { maxUserCharacters } = developmentTokenLimits
  if (!printable.test(user) || user.trim() !== user || Array.from(user).length > maxUserCharacters)
    throw terminal(
      'invalid_request',
      `A user name has 1 to ${maxUserCharacters} printable characters and no space at either end.`,
    )
}

function checkLifetime(seconds: number): void {
  const { maxLifetimeSeconds } = developmentTokenLimits
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxLifetimeSeconds)
    throw terminal(
      'invalid_request',
      `A development token lives 1 to ${maxLifetimeSeconds} whole seconds (30 days), not ${seconds}.`,
    )
}
