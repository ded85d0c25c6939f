import { createLocalJWKSet, errors } from 'jose'
import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters, LocalJWKSet } from 'jose'

import { FailureError, away, terminal } from '../../actors/failure.ts'
import type { Clock, Log } from '../../actors/ports.ts'

import { haltingFetch } from '../timing/halting-fetch.ts'
import { fetchJwks, jwksUrl } from './fetch-jwks.ts'

/** Finds the key that a token names, or rejects with the failure that its bearer is told. */
export type KeySource = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

export interface RemoteKeysOptions {
  readonly url: string
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly log: Log
  /** Plain http beyond this machine, for networks that encrypt by other means. */
  readonly allowInsecure?: boolean
  readonly fetch?: typeof fetch
  readonly limits?: Partial<JwksLimits>
}

interface JwksLimits {
  /** From the end of one fetch, good or bad, to the start of the next. */
  readonly cooldownMs: number
  /** Older keys are renewed while they serve. */
  readonly refreshAfterMs: number
  /** Older keys are renewed before they serve. */
  readonly maxAgeMs: number
  /** Older keys do not serve, even if the endpoint is down: by then the issuer may have withdrawn them. */
  readonly maxStaleMs: number
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Requests that wait for one fetch; more do with the keys there are. */
  readonly maxWaiting: number
}

export const jwksLimits: JwksLimits = Object.freeze({
  cooldownMs: 30_000,
  refreshAfterMs: 300_000,
  maxAgeMs: 600_000,
  maxStaleMs: 86_400_000,
  timeoutMs: 5_000,
  maxBytes: 262_144,
  maxWaiting: 1_000,
})

const minRsaBits = 2_048

/** The keys that an issuer publishes at a URL. */
export function remoteKeys(options: RemoteKeysOptions): KeySource {
  const limits: JwksLimits = { ...jwksLimits, ...options.limits }
  const published = publishedKeys(options, limits)

  async function find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey | undefined> {
    const keys = published.ageMs() < limits.maxStaleMs ? published.keys() : undefined
    return keys && findIn(keys, header, token)
  }

  return async (header, token) => {
    if (published.ageMs() >= limits.maxAgeMs) await published.renew()
    else if (published.ageMs() >= limits.refreshAfterMs) published.beginRenewal()

    const known = await find(header, token)
    if (known) return known

    await published.renew()
    const renewed = await find(header, token)
    if (renewed) return renewed
    const leftMs = published.unansweredForMs()
    throw leftMs === undefined ? unknownKey() : comeBack(leftMs)
  }
}

interface PublishedKeys {
  keys(): LocalJWKSet | undefined
  /** Of the keys there are; infinite when there are none. */
  ageMs(): number
  beginRenewal(): void
  /** Waits for newer keys, unless it is too early for them or too many wait already: then it is the old keys or none. */
  renew(): Promise<void>
  /** How long until the endpoint can have answered, when it has not, or did with a failure. */
  unansweredForMs(): number | undefined
}

/**
 * Anyone can invent a token, so whatever key ids arrive there is one fetch at a time and one per cooldown. jose's remote set is
 * not used: its cooldown begins only after a success, and it drops good keys when a renewal fails.
 */
function publishedKeys(options: RemoteKeysOptions, limits: JwksLimits): PublishedKeys {
  const { clock, log } = options
  const url = jwksUrl(options.url, { allowInsecure: options.allowInsecure ?? false })
  const endpoint = { url, fetch: options.fetch ?? haltingFetch, timeoutMs: limits.timeoutMs, maxBytes: limits.maxBytes }
  let cached: { readonly keys: LocalJWKSet; readonly fetchedMs: number } | undefined
  let lastFetch: { readonly endedMs: number; readonly failed: boolean } | undefined
  let inFlight: Promise<void> | undefined
  let waiting = 0

  const since = (ms: number | undefined): number =>
    ms === undefined ? Number.POSITIVE_INFINITY : clock.elapsedMs() - ms
  const ageMs = (): number => since(cached?.fetchedMs)

  /** The fetch under way, or a new one unless it is too early for that. It never rejects. */
  function begin(): Promise<void> | undefined {
    if (!inFlight && since(lastFetch?.endedMs) >= limits.cooldownMs) inFlight = load()
    return inFlight
  }

  async function load(): Promise<void> {
    const answer = await fetchJwks(endpoint)
    const endedMs = clock.elapsedMs()
    inFlight = undefined
    lastFetch = { endedMs, failed: 'trouble' in answer }
    if ('trouble' in answer) return log.warn('key set not renewed', { trouble: answer.trouble, keysAgeMs: ageMs() })
    cached = { keys: answer.keys, fetchedMs: endedMs }
  }

  return {
    keys: () => cached?.keys,
    ageMs,
    beginRenewal: () => void begin(),
    async renew() {
      const fetching = begin()
      if (!fetching || waiting >= limits.maxWaiting) return
      waiting += 1
      await fetching
      waiting -= 1
    },
    unansweredForMs() {
      if (inFlight) return limits.timeoutMs
      return lastFetch?.failed ? limits.cooldownMs - since(lastFetch.endedMs) : undefined
    },
  }
}

function comeBack(leftMs: number): FailureError {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000))
  const detail = `The keys of the token issuer cannot be fetched. Try again in ${retryAfterSeconds} s.`
  return new FailureError({ kind: 'away', code: 'identity_unavailable', detail, retryAfterSeconds })
}

/** The keys of an issuer in this same process. */
export function localKeys(jwks: () => JSONWebKeySet): KeySource {
  let current: { readonly from: JSONWebKeySet; readonly keys: LocalJWKSet } | undefined
  return async (header, token) => {
    const from = jwks()
    if (current?.from !== from) current = { from, keys: createLocalJWKSet(from) }
    const key = await findIn(current.keys, header, token)
    if (!key) throw unknownKey()
    return key
  }
}

async function findIn(
  keys: LocalJWKSet,
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey | undefined> {
  let key: CryptoKey
  try {
    key = await keys(header, token)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined
    throw error instanceof errors.JWKSMultipleMatchingKeys ? ambiguousKey() : unusableKey(error)
  }
  if (isWeak(key)) throw unusableKey()
  return key
}

/** jose would only notice after the key is handed out, with an error that looks like a bug of ours. */
function isWeak({ algorithm }: CryptoKey): boolean {
  return 'modulusLength' in algorithm && Number(algorithm.modulusLength) < minRsaBits
}

function unknownKey(): FailureError {
  return terminal(
    'unauthenticated',
    'The token was signed with a key that its issuer does not publish. Ask for a new one.',
  )
}

function ambiguousKey(): FailureError {
  return terminal('unauthenticated', 'The token does not say which key signed it (kid), and more than one could have.')
}

/** The issuer's mistake and not the bearer's, so it is not a 401. */
function unusableKey(cause?: unknown): FailureError {
  return away(
    'identity_unavailable',
    `The issuer's key for this token is broken, or is RSA with fewer than ${minRsaBits} bits. Tell whoever runs the issuer.`,
    cause,
  )
}
