import { createHash } from 'node:crypto'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { Owner, UploadId } from '../../actors/ids.ts'
import type { Clock, Records, Revision, Stored } from '../../actors/ports.ts'
import type { Claim } from '../../actors/upload/state.ts'
import type { Answer } from '../route.ts'

/** A gateway is the same across restarts, a boot is not: a claim of an earlier boot of this gateway is nobody's any more. */
export interface GatewayIdentity {
  readonly gatewayId: string
  readonly bootId: string
}

export interface IdempotencyPorts {
  readonly claims: Records<Claim>
  readonly clock: Clock
  readonly identity: GatewayIdentity
  /** The uploads whose claims are held in this process. */
  readonly holding: Set<UploadId>
  /** The answer to an upload that was accepted, made again from its records. */
  answerOf(uploadId: UploadId): Promise<FirstAnswer | undefined>
}

export const keyHeader = 'Idempotency-Key'
export const keyPattern = /^[\x21-\x7e]{1,255}$/
const renewMs = 10_000
const staleMs = 6 * renewMs

/** The right to answer for a key; renewed until it is answered or released. */
export interface HeldClaim {
  readonly key: string
  answer(given: FirstAnswer): Promise<void>
  /** The request failed in a way that the client may repeat with the same key. */
  release(): Promise<void>
}

/** What was said, or would have been said, to the request that used the key first. */
export interface FirstAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: unknown
}

export type ClaimOutcome = { readonly held: HeldClaim } | { readonly first: FirstAnswer }

/** Where a key is kept: a hash of user and key, so that users never meet and nothing of the header reaches a subject. */
export function claimKey(owner: Owner, header: string): string {
  if (!keyPattern.test(header))
    throw terminal('invalid_request', `${keyHeader} must have 1 to 255 printable ASCII characters without spaces.`)
  return createHash('sha256').update(`${owner}\0${header}`).digest('base64url')
}

export async function takeClaim(ports: IdempotencyPorts, key: string, uploadId: UploadId): Promise<ClaimOutcome> {
  const running: Claim = { state: 'running', uploadId, ...ports.identity }
  const created = await ports.claims.create(key, running)
  if (created !== 'exists') return { held: hold(ports, key, { claim: running, uploadId, revision: created }) }
  const stored = await ports.claims.read(key)
  if (stored?.value.state === 'answered') return { first: stored.value }
  const first = stored && (await unnoted(ports, key, stored))
  if (first) return { first }
  if (!stored || !isAbandoned(ports, stored.value, stored.storedAtMs)) throw stillRunning()
  const taken = await ports.claims.replace(key, running, stored.revision)
  if (taken === 'conflict') throw stillRunning()
  return { held: hold(ports, key, { claim: running, uploadId, revision: taken }) }
}

/**
 * An upload that was accepted by a gateway that died, or lost the broker, before it could note its answer. It is noted
 * here, so that of this and the withdrawal of an upload that failed after all only one succeeds.
 */
async function unnoted(ports: IdempotencyPorts, key: string, stored: Stored<Claim>): Promise<FirstAnswer | undefined> {
  if (stored.value.state !== 'running') return undefined
  const { uploadId } = stored.value
  const first = await ports.answerOf(uploadId)
  if (!first) return undefined
  if ((await ports.claims.replace(key, { state: 'answered', uploadId, ...first }, stored.revision)) === 'conflict')
    throw stillRunning()
  return first
}

function isAbandoned(ports: IdempotencyPorts, claim: Claim, storedAtMs: number): boolean {
  if (claim.state !== 'running') return claim.state === 'free'
  const { gatewayId, bootId } = ports.identity
  if (claim.gatewayId === gatewayId && (claim.bootId !== bootId || !ports.holding.has(claim.uploadId))) return true
  return ports.clock.nowMs() - storedAtMs > staleMs
}

function hold(
  ports: IdempotencyPorts,
  key: string,
  from: { claim: Claim; uploadId: UploadId; revision: Revision },
): HeldClaim {
  let { revision } = from
  ports.holding.add(from.uploadId)
  let before: Promise<unknown> = Promise.resolve()

  /** One write after the other: a renewal that is under way must not make the answer's revision stale. */
  const write = (claim: Claim): Promise<void> => {
    const next = before.then(async () => {
      const outcome = await ports.claims.replace(key, claim, revision)
      if (outcome === 'conflict') throw lost()
      revision = outcome
    })
    before = next.catch(() => undefined)
    return next
  }
  const renewal = setInterval(() => void write(from.claim).catch(() => undefined), renewMs)
  const last = async (claim: Claim): Promise<void> => {
    clearInterval(renewal)
    await write(claim).finally(() => ports.holding.delete(from.uploadId))
  }

  return {
    key,
    async answer(given) {
      await last({ state: 'answered', uploadId: from.uploadId, ...given })
    },
    async release() {
      await last({ state: 'free' })
    },
  }
}

/** The same key with other content is a mistake of the client, not a repetition. */
export function replay(first: FirstAnswer, fingerprint: string): Answer {
  if (first.fingerprint !== fingerprint)
    throw terminal('conflict', `This ${keyHeader} was used before with other files; use a new key for a new upload.`)
  return { status: first.status, body: first.body, headers: { 'Idempotency-Replayed': 'true' } }
}

function stillRunning(): FailureError {
  return terminal(
    'conflict',
    `A request with this ${keyHeader} is still being received; repeat it when that one ended.`,
  )
}

function lost(): FailureError {
  return terminal('conflict', `Another request with this ${keyHeader} took over; ask for its answer with the same key.`)
}
