import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { DetectorInput, Listener, SpeechDetector, SpeechFrame } from '../../../actors/conversation/ports.ts'
import type { Clock } from '../../../actors/ports.ts'
import { refused } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import { bytesIn, rateOf } from '../audio-clip.ts'
import type { AudioClip } from '../audio-clip.ts'
import type { SessionLimits } from '../limits.ts'
import type { SessionEvent } from '../protocol.ts'
import type { Settings, TurnDetection } from '../settings/settings.ts'
import { createAllowance } from './allowance.ts'
import { AudioArrivals } from './arrivals.ts'
import { createInputDecoder } from './audio-in.ts'
import type { InputDecoder } from './audio-in.ts'
import { AudioRing } from './audio-ring.ts'
import type { TurnSource } from './followed-turn.ts'
import { HeldTurn } from './held-turn.ts'
import { afterFrame, frameSamples, detectionOptions, msOf, quiet } from './turn-detection.ts'
import type { TurnChange, TurnState } from './turn-detection.ts'

interface TurnInputPorts {
  readonly detector: SpeechDetector
  readonly listener: Listener
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly newId: (prefix: string) => string
  readonly tell: (event: SessionEvent) => void
  readonly follower: TurnFollower
  readonly heard: (audio: AudioClip, startMs: number) => void
}

/** Whoever transcribes a turn while it is spoken. */
interface TurnFollower {
  came(samples: number, quiet: number): void
  unfollow(): void
}

const commitMinMs = 100
/** Of the buffer: audio that nobody can stop from coming leaves room for what comes next. */
const keptShare = 0.95

/** The input buffer: audio comes in, turns come out, by command or by what the detector tells. */
export class TurnInput {
  readonly #ports: TurnInputPorts
  readonly #allowed: ReturnType<typeof createAllowance>
  readonly #ring: AudioRing
  readonly #arrivals = new AudioArrivals()
  #settings: Settings
  #decoder: InputDecoder
  #input: DetectorInput | undefined
  /** Position of the first sample that the detector got. */
  #inputFrom = 0
  #turn: TurnState = quiet
  #turnFrom = 0
  #speechFrom = 0
  #held: HeldTurn | undefined
  #judgedTo = 0
  /** How likely whoever pauses has finished; undefined while nobody knows. */
  #finished: number | undefined
  #takenTo = 0
  #speechAt = 0
  #lastAt = 0

  constructor(ports: TurnInputPorts, settings: Settings) {
    const { inputFormat } = settings
    this.#ports = ports
    this.#settings = settings
    this.#allowed = createAllowance(ports)
    this.#ring = new AudioRing(rateOf(inputFormat))
    this.#decoder = createInputDecoder(inputFormat)
  }

  append(base64: string): Refusal | undefined {
    const { inputFormat } = this.#settings
    const refusal = this.#allowed(bytesIn(base64), inputFormat, msOf(this.#ring.end - this.#ring.start))
    if (refusal) return refusal
    const pcm = this.#decoder.decode(base64)
    if (!pcm) return refused('invalid_value', `Invalid 'audio': it is not base64.`, 'audio')
    this.#take(pcm)
    return undefined
  }

  /** As much as is allowed; where nobody commits, the newest of it is kept. */
  hear(pcm: Int16Array): void {
    const { bufferSeconds } = this.#ports.limits
    this.#ring.dropBefore(this.#ring.end - Math.floor(bufferSeconds * keptShare) * recogniserRate)
    const heldMs = msOf(this.#ring.end - this.#ring.start)
    if (!this.#allowed(pcm.byteLength, this.#settings.inputFormat, heldMs)) this.#take(pcm)
  }

  commit(causedBy: string | null): void {
    const { tell, newId } = this.#ports
    const { end } = this.#ring
    const from = this.#turn.phase === 'quiet' ? this.#ring.start : this.#turnFrom
    const haveMs = msOf(end - from)
    if (haveMs < commitMinMs) return tell({ type: 'Refuse', refusal: tooSmall(haveMs), causedBy })
    tell({
      type: 'CommitTurn',
      itemId: newId('item'),
      audio: this.#ring.read(from, end),
      spokenAtMs: this.#lastAt,
      inputEnd: end,
      causedBy,
    })
  }

  /** Of the turn that has begun. */
  turnSource(): TurnSource {
    let at = this.#turnFrom
    return {
      rate: rateOf(this.#settings.inputFormat),
      next: () => {
        const { pcm } = this.#ring.read(at, this.#judgedTo)
        at = Math.max(at, this.#judgedTo)
        return pcm
      },
      judgePause: (finished) => {
        this.#finished = finished
      },
    }
  }

  /** Nobody is told of the turn that has begun before it is known what it is. */
  hold(itemId: string): void {
    const { listener, limits, tell } = this.#ports
    const read = (to: number): AudioClip => this.#ring.read(this.#turnFrom, to)
    this.#held = new HeldTurn({ itemId, speechFrom: this.#speechFrom, listener, limits, read, tell })
  }

  empty(): void {
    this.#ports.follower.unfollow()
    this.dropBefore(this.#ring.end)
  }

  dropBefore(position: number): void {
    this.#ring.dropBefore(position)
    this.#takenTo = position
    this.#turn = quiet
    this.#held?.close()
  }

  /** Where what waits lies. */
  get waiting() {
    return { startMs: msOf(this.#takenTo), endMs: msOf(this.#ring.end) }
  }

  applySettings(settings: Settings): void {
    const { inputFormat, turnDetection } = settings
    const isOther = inputFormat !== this.#settings.inputFormat
    this.#held?.begin()
    this.#settings = settings
    if (isOther) {
      this.#ports.follower.unfollow()
      this.close()
      this.#decoder = createInputDecoder(inputFormat)
      this.#ring.changeRate(rateOf(inputFormat))
    }
    if (turnDetection) return
    this.#ports.follower.unfollow()
    this.close()
    this.#turn = quiet
  }

  close(): void {
    this.#held?.close()
    this.#input?.close()
    this.#input = undefined
    this.#arrivals.forget()
  }

  #take(pcm: Int16Array): void {
    const rate = rateOf(this.#settings.inputFormat)
    if (pcm.length === 0) return
    this.#lastAt = this.#ports.clock.elapsedMs()
    const from = this.#ring.end
    this.#ring.append(pcm)
    this.#ports.heard({ pcm, rate }, msOf(from))
    if (this.#settings.turnDetection) this.#detect(pcm, from, rate)
  }

  #detect(pcm: Int16Array, from: number, rate: number): void {
    if (!this.#input) {
      this.#inputFrom = from
      this.#input = this.#ports.detector.listen((frame) => this.#judgeFrame(frame), rate)
    }
    this.#arrivals.came(this.#ring.end, this.#lastAt)
    this.#input.push(pcm)
  }

  #judgeFrame({ startSample: since, probability }: SpeechFrame): void {
    const { turnDetection } = this.#settings
    const startSample = this.#inputFrom + since
    if (!turnDetection || startSample < this.#ring.start - frameSamples) return // committed or cleared in the meantime
    const judgedTo = startSample + frameSamples
    const arrivedAt = this.#arrivals.atPosition(judgedTo)
    const before = this.#turn
    const options = detectionOptions(turnDetection, this.#finished)
    const { state, change } = afterFrame(before, { startSample, probability }, options)
    this.#turn = state
    this.#judgedTo = judgedTo
    if (state.phase === 'speaking' && (before.phase === 'quiet' || state.speechEnd !== before.speechEnd))
      this.#heardSpeech(arrivedAt)
    if (change?.type === 'started') this.#begin(change)
    else if (change?.type === 'stopped') this.#stop(change.to)
    else if (state.phase === 'quiet') this.#forgetQuiet(state.run > 0 ? state.runFrom : judgedTo, turnDetection)
    else if (judgedTo - this.#turnFrom >= this.#ports.limits.turnSeconds * recogniserRate) this.#stop(judgedTo)
    else this.#goOn(state.speechEnd, judgedTo)
  }

  #heardSpeech(atMs: number): void {
    this.#speechAt = atMs
    this.#finished = undefined
  }

  #forgetQuiet(position: number, turnDetection: TurnDetection): void {
    // one frame more than the padding, for speech that began in the frame before
    this.#ring.dropBefore(position - detectionOptions(turnDetection).paddingSamples - frameSamples)
  }

  #goOn(speechEnd: number, judgedTo: number): void {
    this.#held?.came(speechEnd, judgedTo)
    this.#ports.follower.came(judgedTo - this.#turnFrom, judgedTo - speechEnd)
  }

  #begin({ from, speechFrom }: Extract<TurnChange, { type: 'started' }>): void {
    const { tell, newId, follower } = this.#ports
    follower.unfollow()
    this.#held = undefined
    this.#speechFrom = speechFrom
    this.#turnFrom = Math.max(from, this.#ring.start)
    this.#ring.dropBefore(this.#turnFrom)
    tell({ type: 'SpeechStarted', itemId: newId('item'), startMs: msOf(this.#turnFrom) })
  }

  #stop(to: number): void {
    const { tell, newId, clock } = this.#ports
    const turn = { audio: this.#ring.read(this.#turnFrom, to), spokenAtMs: this.#speechAt }
    this.dropBefore(to)
    const vadMs = clock.elapsedMs() - turn.spokenAtMs
    tell({ type: 'SpeechStopped', itemId: newId('item'), endMs: msOf(to), ...turn, vadMs })
  }
}

function tooSmall(haveMs: number): Refusal {
  const have = `buffer only has ${haveMs.toFixed(2)}ms of audio`
  return refused(
    'input_audio_buffer_commit_empty',
    `Error committing input audio buffer: buffer too small. Expected at least ${commitMinMs}ms of audio, but ${have}.`,
  )
}
