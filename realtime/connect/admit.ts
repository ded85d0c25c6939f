import { createHash, timingSafeEqual } from 'node:crypto'

import type { Audit, AuditEvent } from '../../actors/audit/ports.ts'
import { speechStreamPath } from '../../actors/conversation/ports.ts'
import type { Voices } from '../../actors/conversation/ports.ts'
import { credentialKind, isAllowed } from '../../actors/identity.ts'
import type { Caller, CredentialKind, Identify, Principal, SessionGrant } from '../../actors/identity.ts'
import type { Log } from '../../actors/ports.ts'
import { ending, endingOf } from '../close.ts'
import type { SessionEnding } from '../close.ts'
import type { KeptSessions, ResumedSession } from '../kept/kept-sessions.ts'
import type { Dialect, KeptSession, SessionKind } from '../session/session.ts'
import type { StreamSettings } from '../speech-stream/settings.ts'
import { isAllowedOrigin } from './origin.ts'
import type { OriginPolicy } from './origin.ts'
import type { Places } from './places.ts'
import { chooseSession, chooseSpeech, readRequest } from './request.ts'
import type { UpgradeRequest, SessionRequest } from './request.ts'

export interface Doors {
  readonly identify: Identify
  readonly places: Places
  readonly origins: OriginPolicy
  readonly relay: Relay
  readonly voices: Pick<Voices, 'find' | 'list'>
  /** Names of models besides those that everybody knows. */
  readonly alsoKnown: readonly string[]
  isDraining(): boolean
  /** Absent: no session goes on once its socket is gone. */
  readonly resume?: KeptSessions['resume'] | undefined
  /** Absent: nothing is written down. */
  readonly audit?: Audit
  /** Called when nobody knows who asks. */
  readonly refused?: (credential: CredentialKind, facts: Readonly<Record<string, unknown>>) => void
  readonly log: Log
}

/** Pages that open sessions without a user's key: the server opens them as a user of its own, whose limits they share. */
interface Relay {
  readonly origins: readonly string[]
  /** What they show instead: an origin says which page it is, and anybody but a browser can say that. */
  readonly key: string
  readonly principal: Principal
}

/** A session that may begin; its place is held. */
export interface Admitted {
  readonly principal: Principal
  readonly dialect: Dialect
  readonly withheld: SessionRequest['withheld']
  readonly kind: SessionKind
  readonly model: string
  readonly grant: SessionGrant | undefined
  /** When what let it in ends, and the session with it. */
  readonly untilMs: number | undefined
  /** Of the API key that let it in. */
  readonly keyId: string | undefined
  /** Absent: it is a session, and not a stream of speech. */
  readonly speech?: StreamSettings
  /** Absent: it is a new one. */
  readonly resumed?: ResumedSession
}

export type Admission = { readonly admitted: Admitted } | { readonly refused: SessionEnding }

export async function admit(upgrade: UpgradeRequest, doors: Doors): Promise<Admission> {
  const found = await judge(upgrade, readRequest(upgrade), doors)
  void doors.audit?.(auditEventOf(upgrade, found))
  return 'closeCode' in found ? { refused: found } : { admitted: found }
}

/** Nobody who waits for a session waits for this. */
function auditEventOf({ from }: UpgradeRequest, found: Admitted | SessionEnding): AuditEvent {
  const what = 'openSession'
  if ('closeCode' in found) return { who: 'nobody', what, objects: [], from, status: found.status }
  const { principal, keyId } = found
  return { who: principal.owner, ...(keyId !== undefined && { keyId }), what, objects: [], from, status: 200 }
}

async function judge(
  upgrade: UpgradeRequest,
  request: SessionRequest,
  doors: Doors,
): Promise<Admitted | SessionEnding> {
  if (doors.isDraining()) return ending('server_restart', 'This server is about to stop. Connect again.')
  if (!isAllowedOrigin(upgrade.origin, upgrade.host, doors.origins) && !isRelayed(upgrade, doors))
    return ending('origin_not_allowed', 'Pages of this origin may not open sessions here; CORS_ORIGINS lists who may.')
  const caller = await callerOf(upgrade, request, doors)
  if ('closeCode' in caller) return caller
  const { principal, grant, untilMs, keyId } = caller
  const chosen = isSpeech(upgrade)
    ? chooseSpeech(upgrade, grant, doors.voices)
    : chooseSession(request, { grant, alsoKnown: doors.alsoKnown })
  if ('closeCode' in chosen) return chosen
  const refused = await doors.places.take(principal.owner)
  if (refused) return refused
  // a session outlives the secret that opened it; a token or a key is the user's standing, and goes on counting
  const { dialect, withheld } = request
  const admitted = { principal, grant, dialect, withheld, ...chosen, untilMs: grant ? undefined : untilMs, keyId }
  const found =
    request.resumes === undefined || isSpeech(upgrade) ? admitted : await goingOn(admitted, request.resumes, doors)
  if ('closeCode' in found) doors.places.give(principal.owner)
  return found
}

function isSpeech({ path }: UpgradeRequest): boolean {
  return path === speechStreamPath
}

/** Of another kind, or opened with more trust than this credential has, is as good as none. */
async function goingOn(admitted: Admitted, id: string, doors: Doors): Promise<Admitted | SessionEnding> {
  try {
    const isOpenTo = ({ kind, isLocked }: KeptSession) =>
      kind === admitted.kind && (isLocked || admitted.grant?.locked !== true)
    const resumed = await doors.resume?.(admitted.principal.owner, id, isOpenTo)
    return resumed ? { ...admitted, resumed } : noSession
  } catch (error) {
    doors.log.warn('session not resumed', { error })
    return ending('temporarily_unavailable', 'What was kept of the session cannot be read just now. Try again.')
  }
}

const noSession = ending(
  'session_not_found',
  'You have no such session to go on with; it may have ended. Connect without resume, for a new one.',
)

async function callerOf(
  upgrade: UpgradeRequest,
  request: SessionRequest,
  doors: Doors,
): Promise<Caller | SessionEnding> {
  if (request.credential === undefined) {
    doors.refused?.('none', {})
    return ending(
      'invalid_api_key',
      'You did not provide an API key. Send Authorization: Bearer <key>, or in browsers a subprotocol ' +
        'openai-insecure-api-key.<ephemeral token> beside realtime.',
    )
  }
  if (isRelayed(upgrade, doors) && isSameText(request.credential, doors.relay.key))
    return { principal: doors.relay.principal }
  try {
    const caller = await doors.identify(request.credential)
    return isAllowed(caller, 'realtime') ? caller : beyondScope
  } catch (error) {
    const refused = endingOf(error)
    if (refused.code === 'invalid_api_key') doors.refused?.(credentialKind(request.credential), {})
    else doors.log.warn('caller not identified', { error })
    return refused
  }
}

const beyondScope = ending('insufficient_scope', 'This API key is not for sessions: it lacks the scope realtime.')

function isRelayed({ origin }: UpgradeRequest, { relay }: Doors): boolean {
  return relay.origins.includes(origin)
}

/** In a time that says nothing about where they differ; nothing is the same as nothing. */
function isSameText(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return other !== '' && timingSafeEqual(first!, second!)
}
