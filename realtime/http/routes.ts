import type { TemplatedApp } from 'uWebSockets.js'

import type { Audit, AuditEvent } from '../../actors/audit/ports.ts'
import type { Voices } from '../../actors/conversation/ports.ts'
import { FailureError, terminal } from '../../actors/failure.ts'
import type { AskReadiness } from '../../actors/health/ports.ts'
import { credentialKind, isAllowed, secretKinds } from '../../actors/identity.ts'
import type { Caller, CredentialKind, Identify, IssueSecret } from '../../actors/identity.ts'
import { json, readJson, respond } from './answer.ts'
import type { HttpAnswer } from './answer.ts'
import { pageFile } from './page.ts'

export interface HttpPorts {
  readonly identify: Identify
  readonly issueSecret: IssueSecret
  /** That the test page offers. */
  readonly voices: Pick<Voices, 'list'>
  readonly ready: AskReadiness
  isDraining(): boolean
  /** Absent: nothing is written down. */
  readonly audit?: Audit
  /** Called when nobody knows who asks. */
  readonly refused?: (credential: CredentialKind, facts: Readonly<Record<string, unknown>>) => void
}

const bearer = /^bearer +(\S+)$/i

/** What the realtime port answers besides sessions: health, session secrets, and the test page. */
export function answerRequests(app: TemplatedApp, ports: HttpPorts): void {
  app.get('/healthz', (response) => respond(response, () => Promise.resolve(json(200, { status: 'ok' }))))
  app.get('/readyz', (response) => respond(response, () => readyAnswer(ports)))
  for (const kind of secretKinds)
    app.post(`/v1/realtime/${kind}`, (response, request) => {
      const authorization = request.getHeader('authorization')
      const from = Buffer.from(response.getRemoteAddressAsText()).toString()
      const body = readJson(response)
      respond(response, async () => {
        const caller = await callerOf(authorization, ports)
        const issued = await ports.issueSecret(kind, caller, await body)
        await ports.audit?.({ ...whoIs(caller), what: 'makeSecret', objects: [], from, status: 200 })
        return json(200, issued)
      })
      // whoever is refused before the body was looked at leaves it to nobody
      body.catch(() => undefined)
    })
  app.get('/', (response) => respond(response, () => pageFile('index.html')))
  app.get('/page/voices', (response) =>
    respond(response, () => Promise.resolve(json(200, { data: ports.voices.list() }))),
  )
  app.get('/page/:file', (response, request) => {
    const file = request.getParameter(0) ?? ''
    respond(response, () => pageFile(file))
  })
  app.any('/*', (response) =>
    respond(response, () =>
      Promise.resolve(json(404, { detail: 'There is nothing at this address; sessions are at /v1/realtime.' })),
    ),
  )
}

async function readyAnswer(ports: HttpPorts): Promise<HttpAnswer> {
  const { isReady, dependencies } = await ports.ready()
  const status = isReady && !ports.isDraining() ? 'ready' : 'not ready'
  return json(status === 'ready' ? 200 : 503, { status, dependencies })
}

async function callerOf(authorization: string, { identify, refused }: HttpPorts): Promise<Caller> {
  const credential = bearer.exec(authorization)?.[1]
  const caller = await (credential === undefined ? noCredential() : identify(credential)).catch((error: unknown) => {
    if (error instanceof FailureError && error.failure.code === 'unauthenticated')
      refused?.(credentialKind(credential), { route: 'secrets' })
    throw error
  })
  if (caller.grant) throw terminal('unauthenticated', 'A session secret (ek_…) cannot make another one.')
  if (!isAllowed(caller, 'realtime'))
    throw terminal('forbidden', 'This API key is not for sessions: it lacks the scope realtime.')
  return caller
}

function whoIs({ principal, keyId }: Caller): Pick<AuditEvent, 'who' | 'keyId'> {
  return { who: principal.owner, ...(keyId !== undefined && { keyId }) }
}

function noCredential(): Promise<never> {
  return Promise.reject(
    terminal('unauthenticated', 'This request needs a token or an API key: Authorization: Bearer <key>.'),
  )
}
