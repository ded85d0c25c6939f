import type { TemplatedApp } from 'uWebSockets.js'

import type { Audit } from '../../actors/audit/ports.ts'
import type { Voices } from '../../actors/conversation/ports.ts'
import type { AskReadiness } from '../../actors/health/ports.ts'
import { secretKinds } from '../../actors/identity.ts'
import type { IssueSecret } from '../../actors/identity.ts'
import { json, readJson, respond } from './answer.ts'
import type { HttpAnswer } from './answer.ts'
import { callerOf, whoIs } from './caller.ts'
import type { CallerPorts } from './caller.ts'
import { pageFile, pageFiles } from './page.ts'
import type { PageFiles } from './page.ts'

export interface HttpPorts extends CallerPorts {
  readonly issueSecret: IssueSecret
  readonly voices: Voices
  /** The letters of the page, by the name under which it asks for them. */
  readonly fonts: PageFiles
  readonly ready: AskReadiness
  isDraining(): boolean
  /** Absent: nothing is written down. */
  readonly audit?: Audit
}

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
        const caller = await callerOf(authorization, ports, 'secrets')
        const issued = await ports.issueSecret(kind, caller, await body)
        await ports.audit?.({ ...whoIs(caller), what: 'makeSecret', objects: [], from, status: 200 })
        return json(200, issued)
      })
      // whoever is refused before the body was looked at leaves it to nobody
      body.catch(() => undefined)
    })
  const files = pageFiles(ports.fonts)
  app.get('/', (response) => respond(response, () => pageFile(files, 'index.html')))
  app.get('/page/voices', (response) =>
    respond(response, () => Promise.resolve(json(200, { data: ports.voices.list() }))),
  )
  app.get('/page/*', (response, request) => {
    const name = request.getUrl().slice('/page/'.length)
    respond(response, () => pageFile(files, name))
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
