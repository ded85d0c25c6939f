import type { AuditEvent } from '../../actors/audit/ports.ts'
import { FailureError, terminal } from '../../actors/failure.ts'
import { credentialKind, isAllowed } from '../../actors/identity.ts'
import type { Caller, CredentialKind, Identify } from '../../actors/identity.ts'

export interface CallerPorts {
  readonly identify: Identify
  /** Called when nobody knows who asks. */
  readonly refused?: (credential: CredentialKind, facts: Readonly<Record<string, unknown>>) => void
}

const bearer = /^bearer +(\S+)$/i

/** Whoever may open sessions and is more than a session secret. `route`: for who is told of strangers. */
export async function callerOf(
  authorization: string,
  { identify, refused }: CallerPorts,
  route: string,
): Promise<Caller> {
  const credential = bearer.exec(authorization)?.[1]
  const caller = await (credential === undefined ? noCredential() : identify(credential)).catch((error: unknown) => {
    if (error instanceof FailureError && error.failure.code === 'unauthenticated')
      refused?.(credentialKind(credential), { route })
    throw error
  })
  if (caller.grant) throw terminal('unauthenticated', 'A session secret (ek_…) opens sessions and does nothing else.')
  if (!isAllowed(caller, 'realtime'))
    throw terminal('forbidden', 'This API key is not for sessions: it lacks the scope realtime.')
  return caller
}

export function whoIs({ principal, keyId }: Caller): Pick<AuditEvent, 'who' | 'keyId'> {
  return { who: principal.owner, ...(keyId !== undefined && { keyId }) }
}

function noCredential(): Promise<never> {
  return Promise.reject(
    terminal('unauthenticated', 'This request needs a token or an API key: Authorization: Bearer <key>.'),
  )
}
