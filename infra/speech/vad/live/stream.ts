import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import type { DetectorInput, SpeechFrame } from '../../../../actors/conversation/ports.ts'
import { windowResampler } from '../../audio/signal/resample-window.ts'
import type { WindowResampler } from '../../audio/signal/resample-window.ts'
import { enoughForDetection } from '../../audio/signal/resampling-filter.ts'
import { vadFrameSamples } from '../segments.ts'
import { contextSamples } from '../whole-stretches.ts'
import type { Sheets } from './sheets.ts'
import { frameLevel, Watch } from './watch.ts'

/** A frame that the network shall look at, with the audio just before it. */
export interface Look {
  readonly input: Float32Array
  readonly level: number
  readonly isFresh: boolean
}

/** A frame whose answer is still to be told: known, like the one before it, or being looked at. */
type Ticket = { readonly startSample: number; probability: number | 'looking' | 'same' }

/** Past this only every so many frames of a burst are looked at: it is bounded, and so is the time it takes. */
const looksWaitingMax = 1_024

interface StreamPorts {
  readonly tell: (speech: SpeechFrame) => void
  /** Of the audio that comes. */
  readonly rate: number
  /** There is a look to take from `looks`. */
  readonly want: (stream: LiveStream) => void
  readonly leave: (stream: LiveStream) => void
  readonly isBusy: () => boolean
  /** What looks are written on. */
  readonly sheets: Sheets
}

/** The sound of one session on its way to the network and back. Only frames that are looked at are resampled. */
export class LiveStream implements DetectorInput {
  /** Told apart in the thread of the network. */
  readonly id: number
  readonly looks: Look[] = []
  readonly #of: StreamPorts
  readonly #shape: FrameShape
  readonly #watch = new Watch()
  #tickets: Ticket[] = []
  /** Sound before the frame, the frame, and what of the next the filter looks at. Made with the first sound. */
  #buffer: Int16Array | undefined
  #filled: number
  #nextSample = 0
  #lastTold = 0
  #isOpen = true

  constructor(id: number, ports: StreamPorts) {
    this.id = id
    this.#of = ports
    this.#shape = shapeAt(ports.rate)
    this.#filled = this.#shape.before
  }

  push(pcm: Int16Array): void {
    const { frame, length } = this.#shape
    const buffer = (this.#buffer ??= new Int16Array(length))
    let at = 0
    while (at < pcm.length && this.#isOpen) {
      const taken = Math.min(length - this.#filled, pcm.length - at)
      buffer.set(pcm.subarray(at, at + taken), this.#filled)
      at += taken
      this.#filled += taken
      if (this.#filled < length) break
      this.#judge(buffer)
      buffer.copyWithin(0, frame)
      this.#filled -= frame
    }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#tickets = []
    for (const { input } of this.looks.splice(0)) this.#of.sheets.give(input)
    this.#of.leave(this)
  }

  /** The answer to the oldest look that has none. */
  answer(probability: number, level: number): void {
    this.#watch.learn(probability, level)
    const ticket = this.#tickets.find((one) => one.probability === 'looking')
    if (ticket) ticket.probability = probability
    this.#tellKnown()
  }

  #judge(buffer: Int16Array): void {
    const { before, frame, resampler } = this.#shape
    const startSample = this.#nextSample
    this.#nextSample += vadFrameSamples
    const level = frameLevel(buffer, before, before + frame)
    const glance = this.#watch.glance(level, this.#of.isBusy() || this.looks.length > looksWaitingMax)
    if (glance !== 'look') {
      this.#tickets.push({ startSample, probability: glance === 'quiet' ? 0 : 'same' })
      return this.#tellKnown()
    }
    const input = this.#of.sheets.take()
    resampler.resample(buffer, input)
    this.#tickets.push({ startSample, probability: 'looking' })
    this.looks.push({ input, level, isFresh: this.#watch.startsAfresh() })
    this.#of.want(this)
  }

  #tellKnown(): void {
    let told = 0
    for (const { startSample, probability } of this.#tickets) {
      if (probability === 'looking' || !this.#isOpen) break
      if (probability !== 'same') this.#lastTold = probability
      told += 1
      this.#of.tell({ startSample, probability: this.#lastTold })
    }
    this.#tickets.splice(0, told)
  }
}

/** A frame in samples of another rate than the network's. */
interface FrameShape {
  readonly before: number
  readonly frame: number
  readonly length: number
  readonly resampler: WindowResampler
}

const shapes = new Map<number, FrameShape>()

function shapeAt(rate: number): FrameShape {
  const known = shapes.get(rate)
  if (known) return known
  const resampler = windowResampler(rate, recogniserRate, enoughForDetection)
  const frame = (vadFrameSamples * rate) / recogniserRate
  const before = resampler.margin + (contextSamples * rate) / recogniserRate
  if (!Number.isInteger(frame) || !Number.isInteger(before))
    throw new RangeError(`a frame is no whole number of samples at ${rate} Hz`)
  const shape = { before, frame, length: before + frame + resampler.margin, resampler }
  shapes.set(rate, shape)
  return shape
}
