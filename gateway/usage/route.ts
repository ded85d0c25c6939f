import { z } from 'zod'

import { acceptedBatch, audioSecondsOf } from '../../actors/batch/state.ts'
import { sessionDayKey } from '../../actors/conversation/ports.ts'
import type { SessionDay } from '../../actors/conversation/ports.ts'
import { madeAtMs } from '../../actors/ids.ts'
import type { Owner } from '../../actors/ids.ts'
import type { ListingPlace, OwnerHoldings } from '../../actors/listing/ports.ts'
import type { Clock, Records } from '../../actors/ports.ts'
import type { ListBatchesPorts } from '../batches/list.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, takesNothing } from '../wire.ts'

export interface UsagePorts extends ListBatchesPorts {
  readonly listing: OwnerHoldings
  readonly dayQuota: { spentToday(owner: Owner): Promise<number> }
  readonly sessionDays: Pick<Records<SessionDay>, 'readMany'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** 0 means no such limit. */
export interface UsageLimits {
  readonly storedFiles: number
  readonly storedBytes: number
  readonly dayAudioSeconds: number
}

const dayMs = 24 * 60 * 60 * 1000
const daysShown = 30
/** One look reads as many records as this and no more. */
const batchesMax = 1_000
const readAtOnce = 200

const date = z.iso.date().describe('In UTC.')
const limit = z.int().optional().describe('The most that you may have; absent where there is no limit.')
const seconds = z.number().describe('Seconds of audio.')

const usage = z
  .strictObject({
    stored: z
      .strictObject({ files: z.int(), bytes: z.int(), max_files: limit, max_bytes: limit })
      .describe('Uploads that are not deleted.'),
    today: z
      .strictObject({ date, audio_seconds: seconds, max_audio_seconds: limit })
      .describe(
        'What the quota of a day counts: everything that was submitted today, also to be transcribed once more, and what failed, was cancelled or was deleted since. A recording behind a URL counts as a minute, or as what it has when that is more.',
      ),
    days: z
      .array(
        z.strictObject({
          date,
          batches: z.int(),
          files: z.int(),
          audio_seconds: seconds.describe('Seconds of audio, as it was decoded; until then as it was taken for.'),
          sessions: z.int().describe('Realtime sessions that ended on this day.'),
          session_seconds: z.number().describe('How long these were open, together.'),
        }),
      )
      .describe(`The last ${daysShown} days, newest first, without those on which there was nothing.`),
    is_complete: z
      .boolean()
      .describe(`Whether \`days\` has all batches of that time; it adds up the newest ${batchesMax} at most.`),
  })
  .meta({ id: 'Usage' })

type DayBody = z.output<typeof usage>['days'][number]

/** What a user has here and had done, and how much of it they may. Reads the caller's own lists and nothing else. */
export function usageRoute(ports: UsagePorts, limits: UsageLimits): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path: '/usage',
    id: 'getUsage',
    summary: 'What you use',
    description:
      'How much you have stored and have had transcribed, today and by day, with your quotas and your realtime sessions. `days` counts batches that are still there, and sessions that have ended.',
    access: 'user',
    responses: {
      200: { description: 'As things are.', schema: usage },
      400: badQuery,
      401: badToken,
      503: dependencyAway,
    },
    async handle({ principal: { owner } }) {
      const nowMs = ports.clock.nowMs()
      const [held, spentSeconds, { days, isComplete }] = await Promise.all([
        ports.listing.held(owner),
        ports.dayQuota.spentToday(owner),
        daysOf(ports, owner, nowMs),
      ])
      const body: z.output<typeof usage> = {
        stored: {
          files: held.count,
          bytes: held.sizeBytes,
          ...(limits.storedFiles > 0 && { max_files: limits.storedFiles }),
          ...(limits.storedBytes > 0 && { max_bytes: limits.storedBytes }),
        },
        today: {
          date: dateOf(nowMs),
          audio_seconds: rounded(spentSeconds),
          ...(limits.dayAudioSeconds > 0 && { max_audio_seconds: limits.dayAudioSeconds }),
        },
        days,
        is_complete: isComplete,
      }
      return { status: 200, body }
    },
  })
}

async function daysOf(
  { batchListing, batches, sessionDays }: UsagePorts,
  owner: Owner,
  nowMs: number,
): Promise<{ readonly days: DayBody[]; readonly isComplete: boolean }> {
  const fromMs = (Math.floor(nowMs / dayMs) - daysShown + 1) * dayMs
  const days = new Map<string, DayBody>()
  const dates = Array.from({ length: daysShown }, (_, day) => dateOf(fromMs + day * dayMs))
  const talked = await sessionDays.readMany(dates.map((day) => sessionDayKey(owner, day)))
  for (const day of dates) {
    const had = talked.get(sessionDayKey(owner, day))
    if (had) addTo(days, day, { sessions: had.sessions, session_seconds: had.seconds })
  }
  let after: ListingPlace | undefined
  for (let looked = 0; looked < batchesMax; looked += readAtOnce) {
    const { ids, next } = await batchListing.walk(owner, { limit: readAtOnce, after, fromMs })
    for (const record of (await batches.readMany(ids)).values()) {
      const batch = acceptedBatch(record)
      if (!batch) continue
      const more = { batches: 1, files: batch.total, audio_seconds: audioSecondsOf(batch).seconds }
      addTo(days, dateOf(madeAtMs(batch.batchId)), more)
    }
    if (!next) return { days: newestFirst(days), isComplete: true }
    after = next
  }
  return { days: newestFirst(days), isComplete: false }
}

function addTo(days: Map<string, DayBody>, day: string, more: Partial<Omit<DayBody, 'date'>>): void {
  const before = days.get(day) ?? { batches: 0, files: 0, audio_seconds: 0, sessions: 0, session_seconds: 0 }
  days.set(day, {
    date: day,
    batches: before.batches + (more.batches ?? 0),
    files: before.files + (more.files ?? 0),
    audio_seconds: rounded(before.audio_seconds + (more.audio_seconds ?? 0)),
    sessions: before.sessions + (more.sessions ?? 0),
    session_seconds: rounded(before.session_seconds + (more.session_seconds ?? 0)),
  })
}

function newestFirst(days: ReadonlyMap<string, DayBody>): DayBody[] {
  return [...days.values()].toSorted((one, other) => (one.date < other.date ? 1 : -1))
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function rounded(audioSeconds: number): number {
  return Math.round(audioSeconds * 10) / 10
}
