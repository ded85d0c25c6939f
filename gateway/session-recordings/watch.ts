import { FailureError, isRetryable } from '../../actors/failure.ts'
import type { RecordingRef } from '../../actors/session-recording/ports.ts'
import type { Timer } from '../../actors/ports.ts'
import type { SubmitRouteLimits } from '../batches/submit.ts'
import { finishRecording } from './finish.ts'
import type { FinishRecordingPorts } from './finish.ts'

interface WatchPorts extends FinishRecordingPorts {
  readonly timer: Timer
}

interface WatchOptions {
  readonly submit: SubmitRouteLimits
  /** How often is looked for recordings that have ended. */
  readonly everyMs: number
  /** Nobody goes on any more with a session of which nothing came for so long. */
  readonly abandonedMs: number
  /** What cannot be made a file, or submitted, for so long is given up. */
  readonly giveUpMs: number
}

interface Sight {
  readonly frames: number
  readonly sinceMs: number
}

/** One of so many looks is also for sessions whose server died, or whose client never came back. */
const looksPerSearch = 12

/** Makes files of the sessions that have ended. Harmless when several gateways do it. */
export function watchRecordings(ports: WatchPorts, options: WatchOptions): { close(): Promise<void> } {
  const { timer, log } = ports
  const sights = new Map<string, Sight>()
  let looks = 0
  let isClosed = false
  let stopWaiting = (): void => undefined
  const look = async (): Promise<void> => {
    try {
      if (looks % looksPerSearch === 0) await endAbandoned(ports, options, sights)
      looks += 1
      for (const ref of await ports.sessionRecordings.ended()) if (!isClosed) await finish(ports, options, ref)
    } catch (error) {
      log.warn('recordings of sessions were not looked at', { error })
    }
    if (!isClosed) wait()
  }
  let looking = Promise.resolve()
  const wait = (): void => {
    stopWaiting = timer.after(options.everyMs, () => {
      looking = look()
    })
  }
  wait()
  return {
    async close() {
      isClosed = true
      stopWaiting()
      await looking
    },
  }
}

async function finish(ports: WatchPorts, options: WatchOptions, ref: RecordingRef): Promise<void> {
  const { sessionRecordings, clock, log } = ports
  const { fileId } = ref
  const recording = await sessionRecordings.find(ref)
  if (recording === 'newer') return
  if (!recording) return sessionRecordings.drop(ref)
  try {
    if (await finishRecording(ports, options.submit, recording)) await sessionRecordings.drop(ref)
  } catch (error) {
    log.warn('the recording of a session is not a file yet', { fileId, error })
    await noteObstacle(ports, ref, error)
    const mayHelp = isRetryable(error) || isUnderWay(error)
    if (mayHelp && clock.nowMs() - recording.begunAtMs < options.giveUpMs) return
    log.error('the recording of a session was given up', { fileId })
    await sessionRecordings.drop(ref)
  }
}

/** At another gateway. */
function isUnderWay(error: unknown): boolean {
  return !(error instanceof FailureError) || error.failure.code === 'conflict'
}

/** While it is recorded: who learns of it now can still make room. */
async function lookForRoom(ports: WatchPorts, ref: RecordingRef, bytes: number): Promise<void> {
  try {
    await ports.storedQuota.admit(ref.owner, { files: 1, bytes })
    if (await ports.sessionRecordings.obstacle(ref)) await ports.sessionRecordings.setObstacle(ref, undefined)
  } catch (error) {
    await noteObstacle(ports, ref, error)
  }
}

async function noteObstacle({ sessionRecordings }: WatchPorts, ref: RecordingRef, error: unknown): Promise<void> {
  if (!(error instanceof FailureError) || error.failure.code !== 'quota_exceeded') return
  const { detail } = error.failure
  await sessionRecordings.setObstacle(ref, { reason: 'quota', message: `${detail} Until then the recording waits.` })
}

/** By what this gateway has seen, and its own clock (I11). */
async function endAbandoned(ports: WatchPorts, options: WatchOptions, sights: Map<string, Sight>): Promise<void> {
  const { sessionRecordings, clock } = ports
  const begun = await sessionRecordings.begun()
  const known = new Set<string>(begun.map(({ fileId }) => fileId))
  for (const fileId of sights.keys()) if (!known.has(fileId)) sights.delete(fileId)
  for (const ref of begun) {
    const { frames, sizeBytes } = await sessionRecordings.read(ref)
    await lookForRoom(ports, ref, sizeBytes)
    const nowMs = clock.elapsedMs()
    const seen = sights.get(ref.fileId)
    if (seen?.frames !== frames) sights.set(ref.fileId, { frames, sinceMs: nowMs })
    else if (nowMs - seen.sinceMs >= options.abandonedMs) await sessionRecordings.end(ref)
  }
}
