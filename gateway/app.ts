import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { Router } from '@koa/router'
import Koa from 'koa'

import type { Audit } from '../actors/audit/ports.ts'
import { FailureError, terminal } from '../actors/failure.ts'
import type { Owner } from '../actors/ids.ts'
import type { Log } from '../actors/ports.ts'
import type { OpenedShareLink } from '../actors/share-link/ports.ts'
import type { Tracer } from '../actors/trace/ports.ts'
import { absentAt } from './absent.ts'
import { admitCaller, isTooOften } from './auth/admit.ts'
import type { AdmitPorts } from './auth/admit.ts'
import { challengeFor, shownKind } from './auth/authenticate.ts'
import type { Caller, CredentialKind } from '../actors/identity.ts'
import { auditEventOf, objectsNamed } from './audited.ts'
import { openBodyRoom } from './body-room.ts'
import type { BodyRoom, BodyRoomLimits } from './body-room.ts'
import { checkBody, checkQuery, readJsonBody, readTextBody } from './check.ts'
import type { CheckedBody } from './check.ts'
import { crossOrigin } from './cross-origin.ts'
import { lingerAfterRefusal, lingerMs } from './linger.ts'
import { problemOf, tooMany } from './problem.ts'
import type { Problem } from './problem.ts'
import { queryOf, single } from './request-parts.ts'
import type { Answer, Route } from './route.ts'
import { scopeOf } from './scopes.ts'
import { securityHeaders } from './security-headers.ts'
import { openRequestTurns } from './request-turns.ts'
import { tracedRequests } from './traced-requests.ts'

interface AppPorts extends Omit<AdmitPorts, 'turns'> {
  readonly routes: readonly Route[]
  /** Whose pages may read what is answered; absent: only our own. */
  readonly origins?: readonly string[]
  /** Called once a request, when its answer is on its way. */
  observe(answered: Answered): void
  /** Absent: nothing is written down. */
  readonly audit?: Audit
  /** Called when nobody knows who asks. */
  readonly refused?: (credential: CredentialKind, facts: Readonly<Record<string, unknown>>) => void
  /** Absent: nobody is told of traces. */
  readonly tracer?: Tracer
  readonly log: Log
}

interface Answered {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

interface State {
  requestId: string
  route?: string
  caller?: Caller
  shared?: OpenedShareLink
  objects?: readonly string[]
  explain?: Route['explain']
}

interface AppLimits {
  readonly bodies: BodyRoomLimits
  readonly lingerMs: number
  /** How long who asks too often waits for the refusal: those who then ask again at once would make us do nothing but refuse. */
  readonly tooOftenMs: number
  /** How long a client may read nothing of an answer that is streamed. */
  readonly stallMs: number
}

const mebibyte = 1024 * 1024
const appLimits: AppLimits = {
  // two of the largest bodies that a route takes
  bodies: { perUserBytes: 32 * mebibyte, allBytes: 256 * mebibyte, withinMs: 30_000 },
  lingerMs,
  tooOftenMs: 1_000,
  stallMs: 60_000,
}

/** The middleware, in order. */
export function createApp(ports: AppPorts, given: Partial<AppLimits> = {}): Koa<State> {
  const limits = { ...appLimits, ...given }
  const app = new Koa<State>({ proxy: false })
  app.silent = true
  if (ports.tracer) app.use(tracedRequests(ports.tracer))
  app.use(observed(ports))
  app.use(crossOrigin(ports.origins ?? []))
  app.use(explained(ports, limits))
  app.use(routed(ports, limits))
  app.use((ctx) => {
    const methods = methodsAt(ports.routes, ctx.path)
    if (methods.length > 0) ctx.set('Allow', methods.join(', '))
    throw noSuchRoute(methods)
  })
  return app
}

function observed(ports: AppPorts): Koa.Middleware<State> {
  return async (ctx, next) => {
    const startedMs = performance.now()
    ctx.state.requestId = randomUUID()
    ctx.set({ ...securityHeaders, 'X-Request-Id': ctx.state.requestId })
    await next()
    const { requestId, route, caller, shared, objects = [] } = ctx.state
    const from = ctx.req.socket.remoteAddress ?? ''
    const event = auditEventOf({ requestId, route, caller, shared, objects, status: ctx.status, from })
    if (event) await ports.audit?.(event)
    ports.observe({
      requestId,
      method: ctx.method,
      route: route ?? 'none',
      status: ctx.status,
      seconds: (performance.now() - startedMs) / 1000,
    })
  }
}

/** Every error becomes `{detail}` here and nowhere else. */
function explained(ports: AppPorts, limits: AppLimits): Koa.Middleware<State> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { requestId, route } = ctx.state
      if (!(error instanceof FailureError)) ports.log.error('request crashed', { requestId, route, error })
      const problem = problemOf(error, requestId)
      if (isTooOften(error)) await pause(limits.tooOftenMs)
      if (isOurs(error, problem)) ports.log.warn('request refused', { requestId, route, error })
      if (problem.status === 401) {
        ctx.set('WWW-Authenticate', challengeFor(ctx.req))
        ports.refused?.(shownKind(ctx.req), { requestId, route, 'pii.address': ctx.req.socket.remoteAddress })
      }
      send(ctx, ctx.state.explain ? { ...problem, body: ctx.state.explain(problem) } : problem)
    }
    lingerAfterRefusal(ctx.req, limits.lingerMs)
  }
}

/** Something of ours is away or full. Who asks for too much is counted, and could otherwise fill the log. */
function isOurs(error: unknown, { status }: Problem): boolean {
  return error instanceof FailureError && error.failure.kind !== 'terminal' && status !== tooMany
}

function routed(ports: AppPorts, limits: AppLimits): ReturnType<Router<State>['routes']> {
  // an address is what the document says it is, to the letter
  const router = new Router<State>({ sensitive: true, strict: true })
  const bodies = openBodyRoom(limits.bodies)
  const turns = openRequestTurns()
  for (const route of ports.routes) {
    const scope = scopeOf(route)
    router[route.method](route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (ctx) => {
      ctx.state.route = route.id
      ctx.state.explain = route.explain
      const doors = { ...ports, turns }
      const { caller, shared } = await admitCaller(doors, ctx, { ...route, scope })
      const { principal } = caller
      const params = route.params.safeParse(ctx.params)
      if (!params.success) return send(ctx, absentAt(route))
      const query = checkQuery(route.query, queryOf(ctx.querystring))
      const { body, warnings } = await bodyOf(ctx, route, { ...ports, bodies, owner: principal.owner })
      ctx.state.objects = objectsNamed(params.data, body)
      const answer = await route.handle({
        id: ctx.state.requestId,
        principal,
        caller,
        shared,
        params: params.data,
        query,
        body,
        header: (name) => single(ctx.req, name),
        raw: { request: ctx.req, response: ctx.res },
      })
      ctx.state.objects = objectsNamed(params.data, body, answer.body)
      if (answer.body instanceof Readable) watchStream(ctx, answer.body, { log: ports.log, stallMs: limits.stallMs })
      send(ctx, warned(answer, warnings))
    })
  }
  return router.routes()
}

const streamed: ReadonlySet<string> = new Set(['multipart/form-data', 'application/offset+octet-stream'])

async function bodyOf(
  { req, res }: Koa.Context,
  { body }: Route,
  { bodies, owner, rates }: Pick<AppPorts, 'rates'> & { readonly bodies: BodyRoom; readonly owner: Owner },
): Promise<CheckedBody<unknown>> {
  if (!body || streamed.has(body.contentType)) return { body: undefined, warnings: [] }
  const held = bodies.hold(owner)
  const options = { maxBytes: body.maxBytes, held }
  try {
    if (body.contentType !== 'application/json') return { body: await readTextBody(req, res, options), warnings: [] }
    return await checkBody(body.schema, await readJsonBody(req, res, options))
  } finally {
    // not as an argument: without rates it would not be released
    const bytes = held.release()
    rates?.readFor(owner, bytes)
  }
}

function methodsAt(routes: readonly Route[], path: string): string[] {
  return routes
    .filter((route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(({ method }) => method.toUpperCase())
}

function noSuchRoute(methods: readonly string[]): FailureError {
  if (methods.length === 0) return terminal('not_found', 'There is nothing at this address; /docs lists what there is.')
  return terminal('method_not_allowed', `This address answers to ${methods.join(' and ')} only.`)
}

/** What is not JSON has no place for it. */
function warned(answer: Answer, warnings: readonly string[]): Answer {
  const { body, status } = answer
  if (warnings.length === 0 || status >= 300 || typeof body === 'string' || body instanceof Readable) return answer
  return { ...answer, body: { ...body, warnings } }
}

function send(ctx: Koa.Context, answer: Answer): void {
  ctx.status = answer.status
  for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value)
  if (typeof answer.body === 'string' || answer.body instanceof Readable) {
    ctx.body = answer.body
    return
  }
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = JSON.stringify(answer.body)
}

/** koa ends the connection of a stream that fails, and the stream of a connection that ends. */
function watchStream(
  ctx: Koa.ParameterizedContext<State>,
  body: Readable,
  { log, stallMs }: { log: Log; stallMs: number },
): void {
  const { requestId, route } = ctx.state
  body.once('error', (error) => {
    if (!ctx.res.destroyed) log.error('answer broken off', { requestId, route, error })
  })
  ctx.res.setTimeout(stallMs, () => ctx.res.destroy())
}
