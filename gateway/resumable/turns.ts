import { setTimeout as pause } from 'node:timers/promises'

import { FailureError } from '../../actors/failure.ts'
import type { ResumableId } from '../../actors/ids.ts'

/** Who receives or finishes an upload at this gateway: one request at a time. */
export interface UploadTurns {
  /** Refuses when another has it. `stop` asks it to end soon. Gives back what ends the turn. */
  take(id: ResumableId, stop: () => void): () => void
  /** Asks who has it to end, and waits for that: whoever asks how far an upload is has given up on what it was sending. */
  clear(id: ResumableId): Promise<void>
}

interface Turn {
  readonly stop: () => void
  readonly ended: Promise<void>
}

/** A piece is stored as far as it came, or a whole recording moved, within this; or the client comes back. */
const clearMs = 15_000
const comeBackSeconds = 1

export function openUploadTurns(): UploadTurns {
  const turns = new Map<ResumableId, Turn>()
  return {
    take(id, stop) {
      if (turns.has(id)) throw locked()
      let end = (): void => undefined
      const ended = new Promise<void>((resolve) => (end = resolve))
      turns.set(id, { stop, ended })
      return () => {
        turns.delete(id)
        end()
      }
    },
    async clear(id) {
      const turn = turns.get(id)
      if (!turn) return
      turn.stop()
      const waiting = new AbortController()
      const tooLong = pause(clearMs, undefined, { signal: waiting.signal }).then(() => {
        throw locked()
      })
      tooLong.catch(() => undefined) // it is called off when it is not needed
      await Promise.race([turn.ended, tooLong]).finally(() => waiting.abort())
    },
  }
}

export function locked(cause?: unknown): FailureError {
  return new FailureError(
    {
      kind: 'retryable',
      code: 'locked',
      detail: 'Another request works on this upload; ask for its offset when that one ended.',
      retryAfterSeconds: comeBackSeconds,
    },
    { cause },
  )
}
