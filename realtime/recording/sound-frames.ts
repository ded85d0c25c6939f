import { flacFrame } from '../../infra/speech/audio/signal/flac-frames.ts'
import { recordedFrameSamples } from '../../actors/session-recording/ports.ts'

/** Who speaks on which channel. */
const channels = ['user', 'assistant'] as const
export type Channel = (typeof channels)[number]

type SoundFrame = Readonly<Record<Channel, Int16Array>>

/** What of a recording is not encoded yet: sound may still come for it, or be taken back. Positions are samples from the beginning. */
export class SoundFrames {
  readonly #frames = new Map<number, SoundFrame>()
  readonly #framesMax: number
  /** Those before it are done. */
  #next: number
  readonly #done: (frame: Uint8Array) => void

  constructor(options: { readonly firstFrame: number; readonly framesMax: number; done(frame: Uint8Array): void }) {
    this.#next = options.firstFrame
    this.#framesMax = options.framesMax
    this.#done = (frame) => options.done(frame)
  }

  /** The first position that sound can still come for. */
  get start(): number {
    return this.#next * recordedFrameSamples
  }

  /** Where there is room for no more, the oldest frames are done. */
  write(channel: Channel, start: number, pcm: Int16Array): void {
    let at = 0
    while (at < pcm.length) {
      const number = Math.floor((start + at) / recordedFrameSamples)
      if (number - this.#next >= this.#framesMax) this.finishTo((number - this.#framesMax + 1) * recordedFrameSamples)
      const offset = start + at - number * recordedFrameSamples
      const part = pcm.subarray(at, at + recordedFrameSamples - offset)
      this.#frameOf(number)[channel].set(part, offset)
      at += part.length
    }
  }

  /** Nobody hears on this channel what would have come after. */
  silence(channel: Channel, from: number): void {
    for (const [number, frame] of this.#frames)
      frame[channel].fill(0, Math.max(0, from - number * recordedFrameSamples), recordedFrameSamples)
  }

  /** Every frame that ends by then. */
  finishTo(position: number): void {
    for (const end = Math.floor(position / recordedFrameSamples); this.#next < end; this.#next += 1) {
      const frame = this.#frames.get(this.#next) ?? silent
      this.#frames.delete(this.#next)
      this.#done(flacFrame(this.#next, frame.user, frame.assistant))
    }
  }

  #frameOf(number: number): SoundFrame {
    const found = this.#frames.get(number)
    if (found) return found
    const frame = { user: new Int16Array(recordedFrameSamples), assistant: new Int16Array(recordedFrameSamples) }
    this.#frames.set(number, frame)
    return frame
  }
}

const silent: SoundFrame = {
  user: new Int16Array(recordedFrameSamples),
  assistant: new Int16Array(recordedFrameSamples),
}
