import { connect } from 'node:net'

import { z } from 'zod'

import type { RealtimePlace } from '../realtime/place.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, takesNothing } from '../wire.ts'

const connectWithinMs = 1_000
/** Anyone may ask, so that it is looked at once in a while and not as often as somebody asks. */
const knownForMs = 5_000

const body = z
  .strictObject({
    port: z.int().describe('On the host that this page is on.'),
    secure: z.boolean().describe('Whether it speaks `wss:` and `https:` only.'),
    answers: z.boolean().describe('Whether it runs here, a moment ago.'),
  })
  .meta({ id: 'RealtimePlace' })

/** Realtime is a server of its own; the console has a tab for it while it answers. Before `/console/{name}`. */
export function realtimePlaceRoute(place: RealtimePlace, clock: { elapsedMs(): number }): Route {
  let known: { readonly sinceMs: number; readonly isThere: Promise<boolean> } | undefined
  return route({
    ...takesNothing,
    method: 'get',
    path: '/console/realtime',
    id: 'realtimePlace',
    summary: 'Where realtime is',
    description: 'For the console, which has a tab for it while it answers.',
    access: 'public',
    responses: {
      200: { description: 'The place, and whether it answers there.', schema: body },
      400: badQuery,
    },
    async handle() {
      const nowMs = clock.elapsedMs()
      if (!known || nowMs - known.sinceMs > knownForMs) known = { sinceMs: nowMs, isThere: isThere(place) }
      return { status: 200, body: { port: place.port, secure: place.isSecure, answers: await known.isThere } }
    },
  })
}

function isThere({ host, port, isHere }: RealtimePlace): Promise<boolean> {
  if (!isHere) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectWithinMs })
    const end = (hasAnswered: boolean) => () => {
      socket.destroy()
      resolve(hasAnswered)
    }
    socket.once('connect', end(true))
    socket.once('timeout', end(false))
    socket.once('error', end(false))
  })
}
