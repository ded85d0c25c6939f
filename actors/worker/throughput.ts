import type { Clock } from '../ports.ts'

/** How fast a worker transcribes: seconds of audio for every second in which it had something to do. */
export interface Throughput {
  /** A chunk is in hand. */
  begin(): HeldChunk
  /** Nothing until something was transcribed. */
  perSecond(): number | undefined
}

export interface HeldChunk {
  transcribed(audioSeconds: number): void
  /** It is no longer in hand. */
  end(): void
}

interface Held {
  audioSeconds: number
  hasWaited: boolean
}

/** What was transcribed since it was last added up. */
interface Stretch {
  readonly busySeconds: number
  readonly transcribedSeconds: number
  readonly chunks: number
  /** Most chunks that were in hand at once. */
  readonly peak: number
}

const noStretch: Stretch = { busySeconds: 0, transcribedSeconds: 0, chunks: 0, peak: 0 }
/** What is older counts less and less. */
const memorySeconds = 300

/**
 * `waitedMs` says for how long models were fetched or opened until now. Such time is no transcribing, and how much of the chunks that were in
 * hand meanwhile was transcribed in it, by another model or after it, is not known: until they are gone neither time nor audio counts.
 */
export function measureThroughput(clock: Clock, waitedMs: () => number): Throughput {
  const held = new Set<Held>()
  let stretch = noStretch
  let sinceMs = 0
  let waitedBeforeMs = 0
  let busySeconds = 0
  let transcribedSeconds = 0

  function lookAtClock(): void {
    const [nowMs, waitedNowMs] = [clock.elapsedMs(), waitedMs()]
    if (waitedNowMs > waitedBeforeMs) for (const chunk of held) chunk.hasWaited = true
    const passedSeconds = held.size > 0 ? (nowMs - sinceMs) / 1000 : 0
    stretch = isClean() ? { ...stretch, busySeconds: stretch.busySeconds + passedSeconds } : noStretch
    sinceMs = nowMs
    waitedBeforeMs = waitedNowMs
  }

  function isClean(): boolean {
    return ![...held].some((chunk) => chunk.hasWaited)
  }

  /** Chunks end in waves: before one has passed there is time in the stretch of chunks whose audio is not. */
  function addUpWave(): void {
    if (stretch.chunks < stretch.peak && held.size > 0) return
    busySeconds += stretch.busySeconds
    transcribedSeconds += stretch.transcribedSeconds
    stretch = { ...noStretch, peak: held.size }
    if (busySeconds < 2 * memorySeconds) return
    busySeconds /= 2
    transcribedSeconds /= 2
  }

  function end(chunk: Held): void {
    lookAtClock()
    const counts = isClean()
    held.delete(chunk)
    if (!counts) return
    const transcribed = stretch.transcribedSeconds + chunk.audioSeconds
    stretch = { ...stretch, transcribedSeconds: transcribed, chunks: stretch.chunks + 1 }
    addUpWave()
  }

  return {
    begin() {
      lookAtClock()
      const chunk: Held = { audioSeconds: 0, hasWaited: false }
      held.add(chunk)
      stretch = { ...stretch, peak: Math.max(stretch.peak, held.size) }
      return {
        transcribed(audioSeconds) {
          chunk.audioSeconds += audioSeconds
        },
        end: () => end(chunk),
      }
    },
    perSecond: () => (transcribedSeconds > 0 && busySeconds > 0 ? transcribedSeconds / busySeconds : undefined),
  }
}
