import type { Audit } from '../actors/audit/ports.ts'
import { openTurnStore } from '../actors/session-recording/turn-store.ts'
import { openSessionRecordings } from '../actors/session-recording/recordings.ts'
import type { Blobs } from '../actors/ports.ts'
import type { Config } from '../infra/config/config.ts'
import { routeLimits } from '../infra/config/route-limits.ts'
import { systemTimer } from '../infra/timing/timer.ts'
import type { RoutePorts } from './routes.ts'
import { watchRecordings } from './session-recordings/watch.ts'
import type { FinishRecordingPorts } from './session-recordings/finish.ts'

/** At most so long after a session is over its file is begun. */
const lookMs = 5_000
/** Longer than a session waits for its client to come back. */
const abandonedMs = 12 * 60_000
const msPerHour = 3_600_000

export function recordingPorts(blobs: Blobs) {
  return { sessionRecordings: openSessionRecordings(blobs), turnStore: openTurnStore(blobs) }
}

/** Makes files of sessions that have ended. */
export function startRecordingWatch(
  config: Config,
  ports: RoutePorts & Pick<FinishRecordingPorts, 'sessionRecordings' | 'turnStore'>,
  audit: Audit,
) {
  const everyMs = Math.min(config.sweepMs, lookMs)
  const { submit } = routeLimits(config)
  // a user whose quota is used up may delete something; who did what is known for twice as long
  const giveUpMs = config.realtimeKeepSeconds * 1000 + (config.idempotencyHours * msPerHour) / 2
  return watchRecordings({ ...ports, audit, timer: systemTimer }, { submit, everyMs, abandonedMs, giveUpMs })
}
