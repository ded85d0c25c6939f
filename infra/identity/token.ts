import { errors, jwtVerify } from 'jose'
import type { JWTPayload } from 'jose'

import { FailureError, terminal } from '../../actors/failure.ts'
import type { Identify } from '../../actors/identity.ts'
import type { Clock } from '../../actors/ports.ts'

import type { KeySource } from './keys.ts'
import { principalOf } from './principal.ts'
import { repeatsName } from './repeated-names.ts'

export interface TokenOptions {
  readonly issuer: string
  readonly audience: string
  readonly keys: KeySource
  readonly clock: Pick<Clock, 'nowMs'>
  readonly algorithms?: readonly string[]
  readonly clockToleranceSeconds?: number
  readonly maxTokenBytes?: number
}

const tokenLimits = Object.freeze({
  maxTokenBytes: 8_192,
  clockToleranceSeconds: 30,
  maxClockToleranceSeconds: 60,
})

const defaultAlgorithms: readonly string[] = ['RS256', 'ES256', 'EdDSA']

/** Only algorithms whose verifying key is public: a key set can then never be turned into a signing secret. */
const asymmetricAlgorithms = /^(?:[RP]S(?:256|384|512)|ES(?:256|384|512)|EdDSA|Ed25519)$/

const loneSurrogate = /\p{Surrogate}/u

/** Callers by the signed tokens of one issuer. */
export function tokenVerifier(options: TokenOptions): Identify {
  const { issuer, audience, keys, clock } = options
  const algorithms = [...(options.algorithms ?? defaultAlgorithms)]
  const clockTolerance = options.clockToleranceSeconds ?? tokenLimits.clockToleranceSeconds
  const maxTokenBytes = options.maxTokenBytes ?? tokenLimits.maxTokenBytes
  check({ issuer, audience, algorithms, clockTolerance, maxTokenBytes })

  return async (token) => {
    const sizeBytes = Buffer.byteLength(token)
    if (sizeBytes > maxTokenBytes)
      throw refused(`The token has ${sizeBytes} bytes, and at most ${maxTokenBytes} are accepted.`)
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.nowMs()),
        crit: {},
      })
      if (repeatsName(claimsText(token))) throw refused('The token names a claim twice, so it has no single meaning.')
      return { principal: principalOf(issuer, subjectOf(payload)), ...untilOf(payload, clockTolerance) }
    } catch (error) {
      throw classify(error, { issuer, audience, algorithms })
    }
  }
}

interface Expected {
  readonly issuer: string
  readonly audience: string
  readonly algorithms: readonly string[]
}

/**
 * The foreign error is not kept as a cause: it carries the claims, and whatever is thrown may be logged (I14). Nor does
 * any sentence repeat what the token says, except for its times.
 */
function classify(error: unknown, expected: Expected): unknown {
  if (error instanceof FailureError || !(error instanceof errors.JOSEError)) return error
  if (error instanceof errors.JWTExpired)
    return refused(`The token expired${atTime(error.payload.exp)}. Ask its issuer for a new one.`)
  if (error instanceof errors.JWTClaimValidationFailed) return refused(complaintAboutClaim(error, expected))
  if (error instanceof errors.JOSEAlgNotAllowed)
    return refused(`The token's algorithm is not accepted. Accepted are ${expected.algorithms.join(', ')}.`)
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refused("The token's signature does not match its content and the issuer's key.")
  if (error instanceof errors.JOSENotSupported)
    return refused('The token demands an extension (crit) that is not understood here.')
  return refused('The token is not a signed JWT: three base64url parts with a dot between them.')
}

function complaintAboutClaim(error: errors.JWTClaimValidationFailed, expected: Expected): string {
  if (error.claim === 'iss') return `The token is from another issuer: iss must be ${expected.issuer}.`
  if (error.claim === 'aud') return `The token is for another service: aud must be ${expected.audience}.`
  if (error.reason === 'missing') return `The token has no ${error.claim} claim, and it needs one.`
  if (error.reason === 'invalid') return `The token's ${error.claim} claim is not a number of seconds.`
  return `The token is not valid yet: its time begins${atTime(error.payload.nbf)}.`
}

function subjectOf(payload: JWTPayload): string {
  const subject: unknown = payload.sub
  if (typeof subject !== 'string' || subject === '')
    throw refused("The token's sub claim is not a text that names a user.")
  // every lone surrogate is the same byte sequence in UTF-8, so users told apart by them would share an owner
  if (loneSurrogate.test(subject)) throw refused("The token's sub claim is not valid Unicode.")
  return subject
}

/** As long as it would be accepted. `exp` is required, and jose has seen that it is a number. */
function untilOf({ exp }: JWTPayload, toleranceSeconds: number): { untilMs?: number } {
  return exp === undefined ? {} : { untilMs: (exp + toleranceSeconds) * 1_000 }
}

function claimsText(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')
}

/** Nothing, for a number of seconds that no calendar has. */
function atTime(seconds: number | undefined): string {
  const time = new Date((seconds ?? Number.NaN) * 1_000)
  return Number.isNaN(time.getTime()) ? '' : ` at ${time.toISOString()}`
}

function refused(detail: string): FailureError {
  return terminal('unauthenticated', detail)
}

function check(options: Expected & { readonly clockTolerance: number; readonly maxTokenBytes: number }): void {
  const { issuer, audience, algorithms, clockTolerance, maxTokenBytes } = options
  if (issuer === '' || issuer.includes('\0') || loneSurrogate.test(issuer))
    throw new Error('The token issuer (JWT_ISSUER) must be a text without NUL; set it to the iss of your tokens.')
  if (audience === '') throw new Error('The token audience (JWT_AUDIENCE) is empty; set it to the aud of your tokens.')
  const wrong = algorithms.filter((algorithm) => !asymmetricAlgorithms.test(algorithm))
  if (wrong.length > 0 || algorithms.length === 0)
    throw new Error(
      `Token algorithms must be asymmetric ones such as ${defaultAlgorithms.join(', ')}, not "${wrong.join(', ')}".`,
    )
  if (!(clockTolerance >= 0 && clockTolerance <= tokenLimits.maxClockToleranceSeconds))
    throw new Error(
      `The clock tolerance for tokens must be 0 to ${tokenLimits.maxClockToleranceSeconds} s, not ${clockTolerance} s.`,
    )
  if (!(Number.isInteger(maxTokenBytes) && maxTokenBytes > 0))
    throw new Error(`The size limit for tokens must be a whole number of bytes above 0, not ${maxTokenBytes}.`)
}
