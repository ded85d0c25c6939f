import type { IncomingMessage } from 'node:http'

import { FailureError } from '../actors/failure.ts'
import type { Caller, KeyScope } from '../actors/identity.ts'
import { demandScope } from './auth/authenticate.ts'
import type { Rates } from './rates.ts'
import type { Turns } from './request-turns.ts'

export interface AdmitPorts {
  authenticate(request: IncomingMessage, takesSecrets?: boolean): Promise<Caller>
  /** Absent: nobody is held back. */
  readonly rates?: Rates
}

interface Asked {
  readonly request: IncomingMessage
  readonly scope: KeyScope
  readonly takesSecrets: boolean | undefined
  /** Who it is, also when it is not let in. */
  readonly known: (caller: Caller) => void
}

/** Lets a request begin when its turn has come, or refuses it. */
export async function admitRequest(
  ports: AdmitPorts & { readonly turns: Turns },
  { request, scope, takesSecrets, known }: Asked,
): Promise<Caller> {
  const { rates, turns } = ports
  rates?.fromAddress(request.socket.remoteAddress ?? '')
  const caller = await ports.authenticate(request, takesSecrets)
  known(caller)
  demandScope(caller, scope)
  rates?.byUser(caller.principal.owner)
  await turns.next(caller.principal.owner)
  return caller
}

/** Such a refusal comes late: who asks again at once would make us do nothing but refuse. */
export function isTooOften(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code === 'too_many_requests'
}
