import { retryable, terminal } from '../actors/failure.ts'
import type { Owner } from '../actors/ids.ts'
import { countPlaces } from '../actors/place-count.ts'

export interface BodyRoomLimits {
  readonly perUserBytes: number
  readonly allBytes: number
  /** How long one body may take to arrive. */
  readonly withinMs: number
}

/** Memory for bodies that are read whole: who sends many large ones slowly would have all of it. */
export interface BodyRoom {
  /** What is released is told. */
  hold(owner: Owner): HeldBytes & { release(): number }
}

/** What has arrived of one body. */
export interface HeldBytes {
  /** How long it may take. */
  readonly withinMs: number
  /** Refuses what there is no room for, which the sender then does not have, and what comes when it was released. */
  add(bytes: number): void
}

export function openBodyRoom({ perUserBytes, allBytes, withinMs }: BodyRoomLimits): BodyRoom {
  const places = countPlaces()
  return {
    hold(owner) {
      let heldBytes = 0
      let isReleased = false
      return {
        withinMs,
        add(bytes) {
          // nobody would give it back: who read it has been refused, and what is still sent is read by nobody
          if (isReleased) throw terminal('too_slow', 'The body came after its request was answered.')
          if (places.takenBy(owner) + bytes > perUserBytes)
            throw retryable(
              'quota_exceeded',
              `Bodies of ${perUserBytes} bytes of yours are on their way at once, which is the limit. Send one after another.`,
            )
          if (places.taken + bytes > allBytes)
            throw retryable('overloaded', 'This server is reading as many bodies as it can hold; try again shortly.')
          places.take(owner, bytes)
          heldBytes += bytes
        },
        release() {
          isReleased = true
          const bytes = heldBytes
          heldBytes = 0
          places.give(owner, bytes)
          return bytes
        },
      }
    },
  }
}
