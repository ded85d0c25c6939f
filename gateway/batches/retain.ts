import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { msPerDay } from '../../actors/retention/state.ts'
import type { OwnRetention, Retention } from '../../actors/retention/state.ts'

const retainMaxDays = 3650
const retainedDays = z.int().min(1).max(retainMaxDays).optional()

export const retain = z
  .strictObject({
    audio_days: retainedDays.describe('Its recordings, unless another batch still needs them.'),
    results_days: retainedDays.describe('What was understood of them.'),
    records_days: retainedDays.describe('All of it, as if it was deleted.'),
  })
  .meta({ id: 'BatchRetention' })

/** What a submission wishes for itself; refused where the server keeps it no longer than that. */
export function retentionOf(asked: z.output<typeof retain> | undefined, server: Retention): OwnRetention | undefined {
  if (asked === undefined) return undefined
  const wishes = { audio: asked.audio_days, results: asked.results_days, records: asked.records_days } as const
  const own: Partial<Record<keyof Retention, number>> = {}
  for (const kind of ['audio', 'results', 'records'] as const) {
    const days = wishes[kind]
    if (days === undefined) continue
    if (server[kind] > 0 && days * msPerDay > server[kind])
      throw terminal(
        'invalid_request',
        `body.retain.${kind}_days: ${days} is longer than this server keeps it, which is ${server[kind] / msPerDay} days.`,
      )
    own[kind] = days
  }
  return own
}
