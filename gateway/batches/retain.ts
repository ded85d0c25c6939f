import { terminal } from '../../actors/failure.ts'
import { msPerDay } from '../../actors/retention/state.ts'
import type { OwnRetention, Retention } from '../../actors/retention/state.ts'
import type { BatchRequest } from './schemas.ts'

/** What a submission wishes for itself; refused where the server keeps it no longer than that. */
export function retentionOf({ retain }: BatchRequest, server: Retention): OwnRetention | undefined {
  if (retain === undefined) return undefined
  const wishes = { audio: retain.audio_days, results: retain.results_days, records: retain.records_days } as const
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
