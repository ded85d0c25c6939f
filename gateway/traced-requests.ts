import type Koa from 'koa'

import type { Tracer } from '../actors/trace/ports.ts'
import { single } from './request-parts.ts'

/** Asked all the time, by machines. */
const unwatched = new Set(['/healthz', '/readyz'])

interface FollowedState {
  readonly requestId?: string
  readonly route?: string
}

/** A request and all that it leads to are one trace; that of its sender, who may have more in it. */
export function tracedRequests(tracer: Tracer): Koa.Middleware<FollowedState> {
  return (ctx, next) => {
    if (unwatched.has(ctx.path)) return next()
    const facts = { 'http.request.method': ctx.method }
    const cause = single(ctx.req, 'traceparent')
    return tracer.run({ name: ctx.method, kind: 'server', cause, isFromOutside: true, facts }, async (note) => {
      await next()
      const { route = 'none', requestId = '' } = ctx.state
      note({
        name: `${ctx.method} ${route}`,
        facts: { 'http.route': route, 'http.response.status_code': ctx.status, 'vaak.request_id': requestId },
      })
    })
  }
}
