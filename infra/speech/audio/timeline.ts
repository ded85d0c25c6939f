import type { RecordingPart } from '../../../actors/run/state.ts'

/** A track that starts late or has a hole in its time stamps is filled with silence, so that later times stay right. */
const smallestGapSeconds = 0.1
const largestGapSeconds = 60
/** Decoded before a part and dropped: what a codec makes of a packet hangs on those before it. */
const runUpSeconds = 1

/** Where things are in a recording, in seconds: by its time stamps (`at`) as far as they make sense, and by how long things last. */
interface Timeline {
  readonly clockSeconds: number
  readonly clockJumped: boolean
  readonly skippedSeconds: number
  /** Whether a packet need not be decoded: times after it are as if it was. One that does not say how long it is ends the skipping. */
  isSkipped(at: number | undefined, seconds: number): boolean
  /** How much was skipped, to the sample, now that the first frame after it is there. */
  beginAt(at: number | undefined): number
  /** Seconds of silence that belong before what is at this time. */
  gapBefore(at: number | undefined): number
  pass(seconds: number): void
}

function isHole(gap: number): boolean {
  return gap >= smallestGapSeconds && gap <= largestGapSeconds
}

export function createTimeline(part: RecordingPart): Timeline {
  const now = { clockSeconds: 0, clockJumped: false, skippedSeconds: 0 }
  let isSkipping = part.start > runUpSeconds

  const lateness = (at = now.clockSeconds): number => at - now.clockSeconds

  function gapBefore(at: number | undefined): number {
    const gap = lateness(at)
    if (Math.abs(gap) < smallestGapSeconds) return 0
    now.clockSeconds += gap
    if (!isHole(gap)) now.clockJumped = true
    return isHole(gap) ? gap : 0
  }

  return Object.assign(now, {
    isSkipped(at: number | undefined, seconds: number) {
      if (!isSkipping) return false
      const gap = lateness(at)
      const ends = now.skippedSeconds + (isHole(gap) ? gap : 0) + seconds
      isSkipping = seconds > 0 && ends <= part.start - runUpSeconds
      // a hole in which the part begins is filled as any other
      if (!isSkipping) return false
      now.skippedSeconds += gapBefore(at) + seconds
      now.clockSeconds += seconds
      return true
    },
    beginAt(at: number | undefined) {
      const late = now.skippedSeconds > 0 ? lateness(at) : 0
      if (Math.abs(late) < runUpSeconds) {
        now.skippedSeconds += late
        now.clockSeconds += late
      }
      return now.skippedSeconds
    },
    gapBefore,
    pass(seconds: number) {
      now.clockSeconds += seconds
    },
  })
}
