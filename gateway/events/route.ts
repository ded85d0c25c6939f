import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

import { z } from 'zod'

import type { BatchChanges } from '../../actors/batch/ports.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { terminal } from '../../actors/failure.ts'
import type { Caller } from '../../actors/identity.ts'
import type { Clock } from '../../actors/ports.ts'
import type { OpenStreams } from '../auth/open-streams.ts'
import { ownedBatch } from '../batches/read.ts'
import { batchPath, notFoundBody } from '../batches/schemas.ts'
import type { StatusPorts } from '../batches/status.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, failure } from '../wire.ts'
import { endCursor, newsOf } from './batch-events.ts'
import type { ToldFiles } from './batch-events.ts'
import { readCursor } from './cursor.ts'
import { eventText, heartbeat, streamBegin } from './event-stream.ts'

export interface EventPorts extends StatusPorts {
  readonly changes: BatchChanges
  readonly clock: Clock
  /** Aborted when the gateway is to stop: streams end then, and their clients go elsewhere. */
  readonly stopping: AbortSignal
  readonly streams: Pick<OpenStreams, 'hold'>
}

/** A look at the records when nothing rings, and the time after which silence is broken. */
const everyMs = 5_000
const heartbeatMs = 15_000
/** No longer than the token or key either: a client comes back with the next one, and goes on where it was. */
const streamMaxMs = 3_600_000
const lastHeader = 'Last-Event-ID'
const streamType = 'text/event-stream'

const batchEvents = z.string().meta({
  examples: [
    eventText({
      event: 'file',
      data: {
        file_id: '01900000-0000-7000-8000-000000000000',
        filename: 'call.wav',
        status: 'completed',
        total_chunks: 4,
        completed_chunks: 4,
        failed_chunks: 0,
      },
    }),
  ],
})

export function batchEventsRoute(ports: EventPorts, limits: PlaceShares): Route {
  const places = openPlaces(limits, {
    what: 'event streams',
    advice: 'poll the status instead',
    comeBackSeconds: 30,
  })
  return route({
    method: 'get',
    path: '/transcribe/events/batch/{batch_id}',
    id: 'watchBatch',
    summary: 'Follow a batch',
    description:
      'Server-sent events until the batch ends: `file` when one moves on (`file_id`, `filename`, `status` and its chunks), `status` with what the status endpoint answers, and `end`, the last. Who comes back with `Last-Event-ID` is told what was missed.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    headers: [
      { name: lastHeader, description: 'The id of the last event that was received.', schema: z.string().max(4096) },
    ],
    responses: {
      200: { description: 'The events.', schema: batchEvents, contentType: streamType },
      204: { description: 'It has ended, and all was told.', schema: z.string(), contentType: streamType },
      400: { description: 'The id or Last-Event-ID is wrong.', schema: failure },
      401: badToken,
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
      429: { description: 'You have too many streams open.', schema: failure },
      503: { description: 'A dependency is away, or all streams are in use; see Retry-After.', schema: failure },
    },
    async handle({ principal, caller, params, header, raw }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (!batch) return notFound('batch')
      const last = header(lastHeader)
      if (last === endCursor && batch.finishedAtMs !== undefined) return { status: 204, body: '' }
      const told: ToldFiles = { outcomes: outcomesOf(batch, last), files: new Map(), status: '' }
      const leave = places.take(principal.owner)
      const signal = untilClosed(ports, raw.response, caller)
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave)
      return {
        status: 200,
        body: Readable.from(eventsOf(ports, batch, { told, signal }), { objectMode: false }),
        headers: {
          'Content-Type': `${streamType}; charset=utf-8`,
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        },
      }
    },
  })
}

/** Not `AbortSignal.any` over `AbortSignal.timeout`: what only they hold may be collected, and then never comes. */
function untilClosed({ stopping, streams, clock }: EventPorts, response: ServerResponse, caller: Caller): AbortSignal {
  const closing = new AbortController()
  const end = (): void => closing.abort()
  const leftMs = (caller.untilMs ?? Infinity) - clock.nowMs()
  const deadline = setTimeout(end, Math.min(streamMaxMs, leftMs))
  const letGo = streams.hold(caller.keyId, end)
  stopping.addEventListener('abort', end)
  const close = (): void => {
    clearTimeout(deadline)
    letGo()
    stopping.removeEventListener('abort', end)
    end()
  }
  // who hung up while the batch was looked for will not do it again
  if (response.destroyed) close()
  else response.once('close', close)
  return closing.signal
}

function outcomesOf({ total }: BatchState, last: string | undefined): Set<number> {
  if (last === undefined || last === endCursor) return new Set()
  const outcomes = readCursor(last, total)
  if (!outcomes) throw terminal('invalid_request', `The header ${lastHeader} is not an id of an event of this batch.`)
  return outcomes
}

async function* eventsOf(
  ports: EventPorts,
  first: BatchState,
  { told, signal }: { told: ToldFiles; signal: AbortSignal },
): AsyncGenerator<string> {
  const { owner, batchId } = first
  let saidMs = ports.clock.elapsedMs()
  yield streamBegin
  for await (const _ of ports.changes.watch(batchId, { signal, everyMs })) {
    const batch = await ownedBatch(ports, owner, batchId)
    if (!batch) return
    for await (const event of newsOf(ports, batch, told)) {
      yield eventText(event)
      saidMs = ports.clock.elapsedMs()
    }
    if (batch.finishedAtMs !== undefined) return
    if (ports.clock.elapsedMs() - saidMs < heartbeatMs) continue
    yield heartbeat
    saidMs = ports.clock.elapsedMs()
  }
}
