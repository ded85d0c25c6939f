import { z } from 'zod'

import type { Clock } from '../../actors/ports.ts'
import type { Backlog } from '../../actors/services.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway } from '../wire.ts'

interface CapacityPorts {
  readonly backlog: Pick<Backlog, 'load'>
  readonly clock: Clock
}

const capacity = z
  .object({
    workers: z.int().describe('Workers that transcribe.'),
    audio_seconds_per_second: z
      .number()
      .describe(
        'Seconds of audio that all of them together transcribe in a second; without any worker, what one would.',
      ),
    waiting: z
      .object({
        files: z.int(),
        audio_seconds: z.number(),
        oldest_seconds: z.number().optional().describe('How long ago the oldest batch came that is not finished.'),
      })
      .describe('What waits or is under way, of all users.'),
    estimated_seconds_until_idle: z.number(),
    waiting_for: z.string().optional().describe('What has to be there before work goes on, such as a model.'),
  })
  .meta({ id: 'Capacity' })

/** Sums only: they tell nobody what others transcribe. */
export function capacityRoute({ backlog, clock }: CapacityPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/capacity',
    id: 'getCapacity',
    summary: 'What the service can do now',
    description:
      'How many workers there are, how fast they transcribe, and how much is before them. A few seconds old. For who decides how much to send, or how many workers to run.',
    access: 'user',
    params: z.strictObject({}),
    query: z.strictObject({}),
    responses: { 200: { description: 'As things are.', schema: capacity }, 401: badToken, 503: dependencyAway },
    async handle() {
      const load = await backlog.load()
      const { oldestAtMs, waitingFor } = load
      return {
        status: 200,
        body: {
          workers: load.workers,
          audio_seconds_per_second: rounded(load.heardPerSecond),
          waiting: {
            files: load.files,
            audio_seconds: rounded(load.audioSeconds),
            ...(oldestAtMs !== undefined && { oldest_seconds: ageOf(oldestAtMs, clock) }),
          },
          estimated_seconds_until_idle: rounded(load.secondsUntilIdle),
          ...(waitingFor && { waiting_for: waitingFor.what }),
        },
      }
    },
  })
}

/** By this machine's clock and that of the one which took it in: good enough for people, and never negative. */
export function ageOf(atMs: number, clock: Clock): number {
  return rounded(Math.max(0, clock.nowMs() - atMs) / 1000)
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
