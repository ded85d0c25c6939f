import { heardRate } from '../../../actors/conversation/ports.ts'
import type { DetectorInput, SpeechDetector, SpeechFrame } from '../../../actors/conversation/ports.ts'
import type { Clock } from '../../../actors/ports.ts'
import { refused } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { ServerEvent } from '../../wire/server-events.ts'
import { bytesIn, rateOf } from '../audio-clip.ts'
import type { AudioClip } from '../audio-clip.ts'
import { createAllowance } from './allowance.ts'
import { AudioArrivals } from './arrivals.ts'
import type { SessionLimits } from '../limits.ts'
import type { Settings, TurnDetection } from '../settings/settings.ts'
import { createInputDecoder } from './audio-in.ts'
import type { InputDecoder } from './audio-in.ts'
import { AudioRing } from './audio-ring.ts'
import { afterFrame, frameSamples, detectionOptions, msOf, quiet } from './turn-detection.ts'
import type { TurnState } from './turn-detection.ts'

interface TurnInputPorts {
  readonly detector: SpeechDetector
  readonly clock: Clock
  readonly limits: SessionLimits
  settings(): Settings
  readonly emit: (event: ServerEvent) => void
  readonly newId: (prefix: string) => string
  /** After `speech_started` was told. */
  speechStarted(): void
  /** Refused when there is no room for another turn. */
  turnEnded(turn: EndedTurn): Refusal | undefined
}

export interface EndedTurn {
  readonly itemId: string
  readonly audio: AudioClip
  /** On the session's clock: when the last audio of speech came in. */
  readonly spokenAt: number
  /** From then until the turn was known to be over; absent when the client said so. */
  readonly vadMs?: number
}

const commitMinMs = 100

/** The input buffer: audio comes in, turns come out, by command or by what the detector tells. */
export class TurnInput {
  readonly #ports: TurnInputPorts
  readonly #allowed: ReturnType<typeof createAllowance>
  readonly #ring: AudioRing
  readonly #arrivals = new AudioArrivals()
  #decoder: InputDecoder
  #input: DetectorInput | undefined
  /** Position of the first sample that the detector got. */
  #inputFrom = 0
  #turn: TurnState = quiet
  #turnFrom = 0
  #turnItem: string | undefined
  #takenTo = 0
  #speechAt = 0
  #lastAt = 0

  constructor(ports: TurnInputPorts) {
    const { inputFormat } = ports.settings()
    this.#ports = ports
    this.#allowed = createAllowance(ports)
    this.#ring = new AudioRing(rateOf(inputFormat))
    this.#decoder = createInputDecoder(inputFormat)
  }

  append(base64: string): Refusal | undefined {
    const { inputFormat, turnDetection } = this.#ports.settings()
    const refusal = this.#allowed(bytesIn(base64), inputFormat, msOf(this.#ring.end - this.#ring.start))
    if (refusal) return refusal
    const pcm = this.#decoder.decode(base64)
    if (!pcm) return refused('invalid_value', `Invalid 'audio': it is not base64.`, 'audio')
    if (pcm.length === 0) return undefined
    this.#lastAt = this.#ports.clock.elapsedMs()
    const from = this.#ring.end
    this.#ring.append(pcm)
    if (turnDetection) this.#detect(pcm, from, rateOf(inputFormat))
    return undefined
  }

  commit(): Refusal | undefined {
    const { start, end } = this.#ring
    const from = this.#turnItem === undefined ? start : this.#turnFrom
    if (msOf(end - from) < commitMinMs) return tooSmall(msOf(end - from))
    const itemId = this.#turnItem ?? this.#ports.newId('item')
    const refusal = this.#ports.turnEnded({ itemId, audio: this.#ring.read(from, end), spokenAt: this.#lastAt })
    if (!refusal) this.#forget(end)
    return refusal
  }

  clear(): void {
    this.#forget(this.#ring.end)
  }

  /** Everything that waits, told to be silence by who knows. */
  takeSilence(): { readonly startMs: number; readonly endMs: number } {
    const startMs = msOf(this.#takenTo)
    this.#forget(this.#ring.end)
    return { startMs, endMs: msOf(this.#ring.end) }
  }

  settingsChanged(before: Settings): void {
    const { inputFormat, turnDetection } = this.#ports.settings()
    if (inputFormat !== before.inputFormat) {
      this.close()
      this.#decoder = createInputDecoder(inputFormat)
      this.#ring.changeRate(rateOf(inputFormat))
    }
    if (turnDetection) return
    this.close()
    this.#turn = quiet
    this.#turnItem = undefined
  }

  close(): void {
    this.#input?.close()
    this.#input = undefined
    this.#arrivals.forget()
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
    const { turnDetection } = this.#ports.settings()
    const startSample = this.#inputFrom + since
    if (!turnDetection || startSample < this.#ring.start - frameSamples) return // committed or cleared in the meantime
    const judgedTo = startSample + frameSamples
    const arrivedAt = this.#arrivals.of(judgedTo)
    const before = this.#turn
    const { state, change } = afterFrame(before, { startSample, probability }, detectionOptions(turnDetection))
    this.#turn = state
    if (state.phase === 'speaking' && (before.phase === 'quiet' || state.speechEnd !== before.speechEnd))
      this.#speechAt = arrivedAt
    if (change?.type === 'started') this.#begin(change.from)
    else if (change?.type === 'stopped') this.#stop(change.to)
    else if (state.phase === 'quiet') this.#forgetQuiet(state.run > 0 ? state.runFrom : judgedTo, turnDetection)
    else if (judgedTo - this.#turnFrom >= this.#ports.limits.turnSeconds * heardRate) this.#stop(judgedTo)
  }

  #forgetQuiet(position: number, turnDetection: TurnDetection): void {
    // one frame more than the padding, for speech that began in the frame before
    this.#ring.dropBefore(position - detectionOptions(turnDetection).paddingSamples - frameSamples)
  }

  #begin(from: number): void {
    const { emit, newId } = this.#ports
    this.#turnFrom = Math.max(from, this.#ring.start)
    this.#turnItem = newId('item')
    this.#ring.dropBefore(this.#turnFrom)
    const fields = { audio_start_ms: msOf(this.#turnFrom), item_id: this.#turnItem }
    emit({ type: 'input_audio_buffer.speech_started', fields })
    this.#ports.speechStarted()
  }

  #stop(to: number): void {
    const { emit, newId, clock } = this.#ports
    const itemId = this.#turnItem ?? newId('item')
    emit({ type: 'input_audio_buffer.speech_stopped', fields: { audio_end_ms: msOf(to), item_id: itemId } })
    const audio = this.#ring.read(this.#turnFrom, to)
    const spokenAt = this.#speechAt
    this.#forget(to)
    const refusal = this.#ports.turnEnded({ itemId, audio, spokenAt, vadMs: clock.elapsedMs() - spokenAt })
    if (refusal) emit({ type: 'error', refusal, causedBy: null })
  }

  #forget(before: number): void {
    this.#ring.dropBefore(before)
    this.#takenTo = before
    this.#turn = quiet
    this.#turnItem = undefined
  }
}

function tooSmall(haveMs: number): Refusal {
  const have = `buffer only has ${haveMs.toFixed(2)}ms of audio`
  return refused(
    'input_audio_buffer_commit_empty',
    `Error committing input audio buffer: buffer too small. Expected at least ${commitMinMs}ms of audio, but ${have}.`,
  )
}
