import { isBrokerAway } from '../../../actors/failure.ts'
import type { Clock } from '../../../actors/ports.ts'

/**
 * Which streams did not take a write. A stream of nats-server that met a full disk refuses every write from then on, also when there is room
 * again, until the server is started anew; it still answers all questions (seen with 2.15.1).
 */
export interface WriteWatch {
  /** Runs a write to this stream and notes what became of it. */
  watch<Result>(stream: string, write: () => Promise<Result>): Promise<Result>
  /** Those whose last write failed, a while ago at most. */
  suspects(): readonly string[]
}

/** What is used is written to again within this time; what is not used would be suspected for ever. */
const suspectForMs = 60_000

/** `isAway`: a broker that cannot be reached says nothing about its streams, and may have been started anew when it is back. */
export function watchWrites(clock: Clock, isAway: () => boolean): WriteWatch {
  const failedAtMs = new Map<string, number>()
  return {
    async watch(stream, write) {
      try {
        const result = await write()
        failedAtMs.delete(stream)
        return result
      } catch (error) {
        if (isBrokerAway(error) && !isAway()) failedAtMs.set(stream, clock.elapsedMs())
        throw error
      }
    },
    suspects() {
      const nowMs = clock.elapsedMs()
      return [...failedAtMs].flatMap(([stream, atMs]) => (nowMs - atMs < suspectForMs ? stream : []))
    },
  }
}
