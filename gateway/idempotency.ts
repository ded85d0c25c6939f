import { createHash } from 'node:crypto'

import { z } from 'zod'

import type { Claim, ClaimedId } from '../actors/claim/state.ts'
import { isRefused, terminal } from '../actors/failure.ts'
import type { FailureError } from '../actors/failure.ts'
import type { Owner } from '../actors/ids.ts'
import type { Log, Records, Revision, Stored } from '../actors/ports.ts'
import type { Answer, HeaderDoc, Request } from './route.ts'

/** A gateway is the same across restarts, a boot is not: a claim of an earlier boot of this gateway is nobody's any more. */
interface GatewayIdentity {
  /** Asked for each time: another may take this gateway's place while it stands still, and then it has a new one. */
  readonly gatewayId: () => string
  readonly bootId: string
}

export interface IdempotencyPorts {
  readonly claims: Records<Claim>
  readonly identity: GatewayIdentity
  /** What the claims that are held in this process are for. */
  readonly holding: Set<ClaimedId>
  readonly log: Log
}

/** What a route that takes idempotency keys knows of its own records. */
export interface Answers<Id extends ClaimedId> {
  /** The answer to a request that was accepted, made again from its records. */
  answerOf(id: Id): Promise<FirstAnswer | undefined>
  /** Before its key is given to another: sees to it that the request is not accepted any more, or gives its answer. */
  withdraw(id: Id): Promise<FirstAnswer | undefined>
}

const keyHeader = 'Idempotency-Key'
const keyPattern = /^[\x21-\x7e]{1,255}$/
const renewMs = 10_000
const staleMs = 6 * renewMs

export function keyHeaderDoc(description: string): HeaderDoc {
  return { name: keyHeader, description, schema: z.string().min(1).max(255).regex(keyPattern) }
}

/** The right to answer for a key; renewed until it is answered, released or left. */
interface HeldClaim {
  readonly key: string
  answer(given: FirstAnswer): Promise<void>
  /** The request failed in a way that the client may repeat with the same key. */
  release(): Promise<void>
  /** Nobody knows whether the request was accepted: the next one with this key finds out. */
  leave(): void
}

/** What was said, or would have been said, to the request that used the key first. */
export interface FirstAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: object
}

export type ClaimOutcome = { readonly held: HeldClaim } | { readonly first: FirstAnswer }

/** Takes the request's idempotency key, if it has one. */
export async function underClaim<Id extends ClaimedId>(
  ports: IdempotencyPorts & Answers<Id>,
  input: { readonly scope: ClaimScope; readonly request: Request; readonly id: Id },
  run: (claim: ClaimOutcome | undefined) => Promise<Answer>,
): Promise<Answer> {
  const { scope, request, id } = input
  const header = request.header(keyHeader)
  if (header === undefined) return run(undefined)
  return underKey(ports, { key: claimKey(scope, request.principal.owner, header), id }, run)
}

/** Sees to it that a request that is refused does not keep the key, and that of several that have it one runs. */
export async function underKey<Id extends ClaimedId, Result>(
  ports: IdempotencyPorts & Answers<Id>,
  input: { readonly key: string; readonly id: Id },
  run: (claim: ClaimOutcome) => Promise<Result>,
): Promise<Result> {
  const claim = await takeClaim(ports, input.key, input.id)
  try {
    return await run(claim)
  } catch (error) {
    if (!('held' in claim)) throw error
    if (isRefused(error)) await claim.held.release().catch((why: unknown) => ports.log.warn('claim stays', { why }))
    else claim.held.leave()
    throw error
  }
}

export type ClaimScope = 'upload' | 'batch' | 'resumable' | 'session' | 'session-batch'

/** Where a key is kept: a hash of user and key, so that users never meet and nothing of the header reaches a subject. */
export function claimKey(scope: ClaimScope, owner: Owner, header: string): string {
  if (!keyPattern.test(header))
    throw terminal('invalid_request', `${keyHeader} must have 1 to 255 printable ASCII characters without spaces.`)
  return createHash('sha256').update(`${scope}\0${owner}\0${header}`).digest('base64url')
}

/** The claim for a request whose success will be known by this id. */
async function takeClaim<Id extends ClaimedId>(
  ports: IdempotencyPorts & Answers<Id>,
  key: string,
  id: Id,
): Promise<ClaimOutcome> {
  const { gatewayId, bootId } = ports.identity
  const running: Claim = { state: 'running', id, gatewayId: gatewayId(), bootId }
  const created = await ports.claims.create(key, running)
  if (created !== 'exists') return { held: hold(ports, key, { claim: running, id, revision: created }) }
  const stored = await ports.claims.read(key)
  if (!stored) throw stillRunning()
  if (stored.value.state === 'answered') return { first: stored.value }
  // asked once: what was not withdrawn as abandoned must not be taken over as such a moment later
  const isFree = await isAbandoned(ports, stored)
  const first = await unnoted(ports, key, { ...stored, isFree })
  if (first) return { first }
  if (!isFree) throw stillRunning()
  const taken = await ports.claims.replace(key, running, stored.revision)
  if (taken === 'conflict') throw stillRunning()
  return { held: hold(ports, key, { claim: running, id, revision: taken }) }
}

/**
 * A request that was accepted by a gateway that died, or lost the broker, before it could note its answer. It is noted
 * here, so that of this and the withdrawal of a request that failed after all only one succeeds.
 */
async function unnoted<Id extends ClaimedId>(
  ports: IdempotencyPorts & Answers<Id>,
  key: string,
  { value: claim, revision, isFree }: Stored<Claim> & { readonly isFree: boolean },
): Promise<FirstAnswer | undefined> {
  if (claim.state !== 'running') return undefined
  const id = claim.id as Id // as: keys of different routes are different, see `claimKey`
  const first = (await ports.answerOf(id)) ?? (isFree ? await ports.withdraw(id) : undefined)
  if (!first) return undefined
  if ((await ports.claims.replace(key, { state: 'answered', id, ...first }, revision)) === 'conflict')
    throw stillRunning()
  return first
}

async function isAbandoned(ports: IdempotencyPorts, stored: Stored<Claim>): Promise<boolean> {
  const claim = stored.value
  if (claim.state !== 'running') return claim.state === 'free'
  const { gatewayId, bootId } = ports.identity
  if (claim.gatewayId === gatewayId() && (claim.bootId !== bootId || !ports.holding.has(claim.id))) return true
  return (await ports.claims.ageMs(stored)) > staleMs
}

function hold(
  ports: IdempotencyPorts,
  key: string,
  from: { claim: Claim; id: ClaimedId; revision: Revision },
): HeldClaim {
  let { revision } = from
  ports.holding.add(from.id)
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
    await write(claim).finally(() => ports.holding.delete(from.id))
  }

  return {
    key,
    async answer(given) {
      await last({ state: 'answered', id: from.id, ...given })
    },
    async release() {
      clearInterval(renewal)
      await before
      // nothing stays of it: who is refused a thousand times would otherwise fill the broker for as long as keys are remembered
      await ports.claims.erase(key, revision).finally(() => ports.holding.delete(from.id))
    },
    leave() {
      clearInterval(renewal)
      ports.holding.delete(from.id)
    },
  }
}

/** The same key with other content is a mistake of the client, not a repetition. */
export function replay(first: FirstAnswer, fingerprint: string): Answer {
  if (first.fingerprint !== fingerprint)
    throw terminal('conflict', `This ${keyHeader} was used before with other content; use a new key for a new request.`)
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
