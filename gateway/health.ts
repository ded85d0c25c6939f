import { z } from 'zod'

import { route } from './route.ts'
import type { Route } from './route.ts'
import { nothingTaken, takesNothing } from './wire.ts'

/** Resolves when the dependency can be used; rejects with the reason otherwise. */
export type Dependency = () => Promise<void>

const checkWithinMs = 3_000

const liveBody = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Live' })
const readyBody = z
  .strictObject({
    status: z.enum(['ready', 'not ready']),
    dependencies: z.record(z.string(), z.string()).describe('`ok`, or what is missing.'),
  })
  .meta({ id: 'Ready' })

export function healthRoutes(dependencies: Readonly<Record<string, Dependency>>): Route[] {
  return [
    route({
      ...takesNothing,
      method: 'get',
      path: '/healthz',
      id: 'live',
      summary: 'Is the process alive?',
      description: 'Answers as long as the process can answer at all; it does not look at dependencies.',
      access: 'public',
      responses: { 200: { description: 'It is.', schema: liveBody }, 400: nothingTaken },
      handle: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
    }),
    route({
      ...takesNothing,
      method: 'get',
      path: '/readyz',
      id: 'ready',
      summary: 'Can it serve requests?',
      description: 'Says of each dependency whether it can be used.',
      access: 'public',
      responses: {
        200: { description: 'All of them can.', schema: readyBody },
        400: nothingTaken,
        503: { description: 'One of them is missing.', schema: readyBody },
      },
      async handle() {
        const found = await Promise.all(
          Object.entries(dependencies).map(async ([name, check]) => [name, await stateOf(check)] as const),
        )
        const ready = found.every(([, state]) => state === 'ok')
        return {
          status: ready ? 200 : 503,
          body: { status: ready ? 'ready' : 'not ready', dependencies: Object.fromEntries(found) },
        }
      },
    }),
  ]
}

async function stateOf(check: Dependency): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${checkWithinMs / 1000} seconds`), checkWithinMs)
  })
  try {
    return await Promise.race([check().then(() => 'ok'), late])
  } catch {
    return 'not available'
  } finally {
    clearTimeout(timer)
  }
}
