import { recogniserRate } from '../../actors/conversation/ports.ts'
import type { Clock, Timer } from '../../actors/ports.ts'
import type { RecordingHints, SessionTurn } from '../../actors/session-recording/ports.ts'
import { recordedFrameSamples } from '../../actors/session-recording/ports.ts'
import { toFloat, toPcm } from '../../infra/speech/audio/signal/pcm.ts'
import { createResampler } from '../../infra/speech/audio/signal/resample.ts'
import type { AudioClip } from '../session/audio-clip.ts'
import type { RecordedSpan, SessionRecorder } from '../session/ports.ts'
import type { RecordingWriter } from './recording-writer.ts'
import { SoundFrames } from './sound-frames.ts'
import type { Channel } from './sound-frames.ts'

interface RecorderPorts {
  readonly clock: Clock
  readonly timer: Timer
  readonly writer: Pick<RecordingWriter, 'push' | 'finish'>
  /** What became known of turns since the last call; all that is left of it at the end. */
  turns(isLast: boolean): readonly SessionTurn[]
  hints(): RecordingHints
  /** So long a recording may be, and this one is. */
  limitReached(): void
}

interface RecorderOptions {
  /** By now: 0, unless another server had the session before. */
  readonly startMs: number
  readonly secondsMax: number
}

const samplesPerMs = recogniserRate / 1_000
const lookMs = 1_000
/** Of what was said so long ago nothing comes any more, and nothing is taken back. */
const settledMs = 1_500
/** What comes later than this after what came before has a pause before it; what comes sooner follows it, as it was spoken. */
const jitterMs = 500
const framesPerPiece = 40 // ten seconds: so much is lost with a server
const framesHeldMax = 240 // a minute, for what is sent faster than it is spoken; four megabytes

/** Lays what is heard and what is played on two channels, at the time it was, and hands them over piece by piece. */
export class Recorder implements SessionRecorder {
  readonly #ports: RecorderPorts
  readonly #options: RecorderOptions
  readonly #beganAtMs: number
  readonly #frames: SoundFrames
  readonly #converters = { user: createConverter(), assistant: createConverter() }
  readonly #ends: Record<Channel, number>
  #encoded: Uint8Array[] = []
  #firstEncoded: number
  #isOver = false
  #stopLooking: () => void

  constructor(ports: RecorderPorts, options: RecorderOptions) {
    this.#ports = ports
    this.#options = options
    this.#beganAtMs = ports.clock.elapsedMs() - options.startMs
    const firstFrame = Math.ceil((options.startMs * samplesPerMs) / recordedFrameSamples)
    this.#firstEncoded = firstFrame
    this.#frames = new SoundFrames({
      firstFrame,
      framesMax: framesHeldMax,
      done: (frame) => this.#encoded.push(frame),
    })
    this.#ends = { user: this.#frames.start, assistant: this.#frames.start }
    this.#stopLooking = this.#lookLater()
  }

  heard(clip: AudioClip): RecordedSpan {
    const pcm = this.#converters.user(clip)
    const latest = this.#now() - pcm.length
    const end = this.#ends.user
    return this.#lay('user', end < latest - jitterMs * samplesPerMs ? latest : end, pcm)
  }

  played(clip: AudioClip): RecordedSpan {
    const pcm = this.#converters.assistant(clip)
    return this.#lay('assistant', Math.max(this.#ends.assistant, this.#now()), pcm)
  }

  stopPlaying(fromMs: number = this.#now() / samplesPerMs): number {
    const from = Math.max(this.#frames.start, Math.round(fromMs * samplesPerMs))
    this.#frames.silence('assistant', from)
    this.#ends.assistant = Math.min(this.#ends.assistant, from)
    return from / samplesPerMs
  }

  async finish(isEnded: boolean): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopLooking()
    this.stopPlaying()
    const end = Math.max(this.#now(), this.#ends.user)
    // the last frame is filled up with silence
    this.#frames.finishTo(Math.min(end, this.#limit()) + recordedFrameSamples - 1)
    this.#handOver(true)
    await this.#ports.writer.finish(isEnded)
  }

  #lay(channel: Channel, wanted: number, pcm: Int16Array): RecordedSpan {
    const start = Math.max(wanted, this.#frames.start)
    const end = start + pcm.length
    if (!this.#isOver && end <= this.#limit()) this.#frames.write(channel, start, pcm)
    this.#ends[channel] = end
    return { startMs: start / samplesPerMs, endMs: end / samplesPerMs }
  }

  #lookLater(): () => void {
    return this.#ports.timer.after(lookMs, () => {
      this.#stopLooking = this.#lookLater()
      this.#look()
    })
  }

  #look(): void {
    const settled = this.#now() - settledMs * samplesPerMs
    this.#frames.finishTo(Math.min(settled, this.#limit()))
    if (this.#encoded.length >= framesPerPiece) this.#handOver(false)
    if (settled >= this.#limit()) this.#ports.limitReached()
  }

  #handOver(isLast: boolean): void {
    const frames = this.#encoded
    const firstFrame = this.#firstEncoded
    this.#encoded = []
    this.#firstEncoded += frames.length
    this.#ports.writer.push({ firstFrame, frames, turns: this.#ports.turns(isLast), hints: this.#ports.hints() })
  }

  #now(): number {
    return Math.round((this.#ports.clock.elapsedMs() - this.#beganAtMs) * samplesPerMs)
  }

  #limit(): number {
    return this.#options.secondsMax * recogniserRate
  }
}

/** To the rate of the recording, without a trace of how it was cut. */
function createConverter(): (clip: AudioClip) => Int16Array {
  let rate = recogniserRate
  let resampler = createResampler(rate, recogniserRate)
  return (clip) => {
    if (clip.rate !== rate) resampler = createResampler(clip.rate, recogniserRate)
    rate = clip.rate
    return toPcm(resampler.push(toFloat(clip.pcm)))
  }
}
