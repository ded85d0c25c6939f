import { z } from 'zod'

import type { AskReadiness } from '../actors/health/ports.ts'
import { route } from './route.ts'
import type { Route } from './route.ts'
import { badQuery, takesNothing } from './wire.ts'

const liveBody = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Live' })
const readyBody = z
  .strictObject({
    status: z.enum(['ready', 'not ready']),
    dependencies: z.record(z.string(), z.string()).describe('`ok`, or what is the matter with it.'),
  })
  .meta({ id: 'Ready' })

export function healthRoutes(ready: AskReadiness): Route[] {
  return [
    route({
      ...takesNothing,
      method: 'get',
      path: '/healthz',
      id: 'live',
      summary: 'Is the process alive?',
      description: 'Answers as long as the process can answer at all; it does not look at dependencies.',
      access: 'probe',
      responses: { 200: { description: 'It is.', schema: liveBody }, 400: badQuery },
      handle: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
    }),
    route({
      ...takesNothing,
      method: 'get',
      path: '/readyz',
      id: 'ready',
      summary: 'Can it serve requests?',
      description:
        'Says of each dependency whether it can be used: the broker acknowledges a write, storage takes an object. It is looked at once a second at most, however often you ask. What `sandbox` says keeps nothing from being ready.',
      access: 'probe',
      responses: {
        200: { description: 'All of them can.', schema: readyBody },
        400: badQuery,
        503: { description: 'One of them cannot, and why.', schema: readyBody },
      },
      async handle() {
        const { isReady, dependencies } = await ready()
        return {
          status: isReady ? 200 : 503,
          body: { status: isReady ? 'ready' : 'not ready', dependencies },
        }
      },
    }),
  ]
}
