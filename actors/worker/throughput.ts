import type { Clock } from '../ports.ts'

/** How fast a worker hears: seconds of sound for every second in which it had something to hear. */
export interface Throughput {
  /** Something is in hand; the returned function says that it no longer is. */
  begin(): () => void
  heard(audioSeconds: number): void
  /** Nothing until something was heard. */
  perSecond(): number | undefined
}

/** What is older counts less and less. */
const memorySeconds = 300

export function measureThroughput(clock: Clock): Throughput {
  let inHand = 0
  let sinceMs = 0
  let busySeconds = 0
  let heardSeconds = 0
  let isWarm = false

  function lookAtClock(): void {
    const nowMs = clock.elapsedMs()
    if (inHand > 0) busySeconds += (nowMs - sinceMs) / 1000
    sinceMs = nowMs
    if (busySeconds < 2 * memorySeconds) return
    busySeconds /= 2
    heardSeconds /= 2
  }

  return {
    begin() {
      lookAtClock()
      inHand += 1
      return () => {
        lookAtClock()
        inHand -= 1
      }
    },
    heard(audioSeconds) {
      if (isWarm) heardSeconds += audioSeconds
      // the first one waited for its models, which says nothing about those that follow
      else busySeconds = 0
      isWarm = true
    },
    perSecond() {
      lookAtClock()
      return heardSeconds > 0 && busySeconds > 0 ? heardSeconds / busySeconds : undefined
    },
  }
}
