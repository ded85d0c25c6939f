import { ownModel } from '../actors/conversation/ports.ts'
import { z } from 'zod'

import type { Voices } from '../actors/conversation/ports.ts'
import { terminal } from '../actors/failure.ts'
import type { Caller, IssueSecret, SecretKind, SessionGrant, SessionSecrets } from '../actors/identity.ts'
import type { Clock } from '../actors/ports.ts'
import { defaultSessionLimits } from './session/limits.ts'
import type { Dialect, SessionKind } from './session/ports.ts'
import { previewSession } from './session/settings/opening.ts'

interface SecretParts {
  readonly secrets: SessionSecrets
  readonly voices: Voices
  readonly clock: Pick<Clock, 'nowMs'>
  newId(prefix: string): string
}

const secondsMin = 10
const secondsMax = 7_200
const gaSeconds = 600
const betaSeconds = 60
const sessionSecondsMax = 86_400

const expiry = z.strictObject({
  anchor: z.literal('created_at').optional(),
  seconds: z.number().int().min(secondsMin).max(secondsMax).optional(),
})
const settings = z.record(z.string(), z.unknown())

/** Ours alone, beside what existing clients send. */
const bounds = {
  locked: z.boolean().optional().describe('Clients cannot change the model, instructions and tools of the session.'),
  max_session_seconds: z.number().int().min(1).max(sessionSecondsMax).optional(),
}

const clientSecretBody = z.strictObject({
  expires_after: expiry.optional(),
  session: settings.optional(),
  ...bounds,
})
/** The session's own settings are beside these, flat. */
const betaSecretBody = z.looseObject({
  client_secret: z.object({ expires_after: expiry.optional(), expires_at: expiry.optional() }).nullish(),
  ...bounds,
})

export function secretIssuer(parts: SecretParts): IssueSecret {
  return async (kind, caller, body) =>
    kind === 'client_secrets' ? issueGa(parts, caller, body) : issueBeta(parts, { kind, caller, body })
}

async function issueGa(parts: SecretParts, caller: Caller, given: unknown): Promise<object> {
  const body = check(clientSecretBody, given)
  const session = body.session ?? {}
  const kind = session['type'] === 'transcription' ? 'transcription' : 'realtime'
  const model = modelOf(session)
  const described = previewOf(parts, { dialect: 'ga', kind, model, defaults: session })
  const untilMs = expiryMs(parts, caller, body.expires_after?.seconds ?? gaSeconds)
  const value = await parts.secrets.make({
    ...makerOf(caller),
    untilMs,
    grant: grantOf(body, { kind, model, session }),
  })
  return { value, expires_at: untilMs / 1000, session: described }
}

async function issueBeta(
  parts: SecretParts,
  options: { kind: Exclude<SecretKind, 'client_secrets'>; caller: Caller; body: unknown },
): Promise<object> {
  const { client_secret, locked, max_session_seconds, ...session } = check(betaSecretBody, options.body)
  const kind = options.kind === 'sessions' ? 'realtime' : 'transcription'
  const model = modelOf(session)
  const described = previewOf(parts, { dialect: 'beta', kind, model, defaults: session })
  const asked = client_secret?.expires_after ?? client_secret?.expires_at
  const untilMs = expiryMs(parts, options.caller, asked?.seconds ?? betaSeconds)
  const grant = grantOf({ locked, max_session_seconds }, { kind, model, session })
  const value = await parts.secrets.make({ ...makerOf(options.caller), untilMs, grant })
  return { ...described, client_secret: { value, expires_at: untilMs / 1000 } }
}

function grantOf(
  {
    locked,
    max_session_seconds: sessionSeconds,
  }: { locked?: boolean | undefined; max_session_seconds?: number | undefined },
  { kind, model, session }: { kind: SessionKind; model: string; session: object },
): SessionGrant {
  return {
    kind,
    model,
    ...(Object.keys(session).length > 0 && { session }),
    ...(locked && { locked }),
    ...(sessionSeconds !== undefined && { sessionSeconds }),
  }
}

/** The whole session that these settings make, as a client would be shown it. */
function previewOf(
  parts: SecretParts,
  plan: { readonly dialect: Dialect; readonly kind: SessionKind; readonly model: string; readonly defaults: unknown },
): object {
  const { voices } = parts
  const preview = previewSession({
    ...plan,
    voices,
    limits: defaultSessionLimits,
    id: parts.newId('sess'),
    expiresAt: 0,
  })
  if ('refusal' in preview) throw terminal('invalid_request', preview.refusal.message)
  return preview.session
}

function modelOf(session: Readonly<Record<string, unknown>>): string {
  return typeof session['model'] === 'string' ? session['model'] : ownModel
}

function makerOf({ principal, keyId }: Caller): Pick<Caller, 'principal' | 'keyId'> {
  return { principal, ...(keyId !== undefined && { keyId }) }
}

/** Whole seconds, and none after the end of what it is made with. */
function expiryMs(parts: SecretParts, { untilMs = Infinity }: Caller, seconds: number): number {
  return Math.floor(Math.min(parts.clock.nowMs() + seconds * 1000, untilMs) / 1000) * 1000
}

function check<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw terminal('invalid_request', `${['body', ...(issue?.path ?? [])].map(String).join('.')}: ${issue?.message}`)
}
