import type { OpusEncoderHandle } from 'libopus-wasm'

import { spokenRate } from '../../actors/conversation/ports.ts'
import type { Clock } from '../../actors/ports.ts'
import type { Speaker } from '../session/session.ts'

interface OutgoingPorts {
  readonly encoder: Pick<OpusEncoderHandle, 'encode'>
  readonly clock: Pick<Clock, 'elapsedMs'>
  /** One packet; `timestamp` counts samples at 48 kHz, `isFirst` after a silence. */
  readonly send: (packet: { payload: Uint8Array; timestamp: number; isFirst: boolean }) => void
  readonly tell: (type: PlaybackEvent, responseId: string) => void
}

type PlaybackEvent = 'output_audio_buffer.started' | 'output_audio_buffer.stopped' | 'output_audio_buffer.cleared'

const frameMs = 20
const frameSamples = (spokenRate * frameMs) / 1_000
const frameTicks = 48 * frameMs
/** Sent before its time, so that nobody hears when this process is busy for a moment. */
const leadMs = 60
/** Frames of silence after what was said, with which a listener's decoder comes to rest. */
const restFrames = 5

interface Spoken {
  readonly responseId: string
  /** Undefined: no more comes of this response. */
  readonly pcm: Int16Array | undefined
}

/** Audio of answers in pieces of any length goes out in packets, each in its time; while nobody speaks, nothing does. */
export class OutgoingAudio implements Speaker {
  readonly format = 'pcm16'
  readonly #ports: OutgoingPorts
  readonly #queue: Spoken[] = []
  readonly #frame = new Int16Array(frameSamples)
  readonly #beginMs: number
  #playing: string | undefined
  /** Samples in the queue. */
  #held = 0
  #nextMs = 0
  #rest = 0
  #isSilent = true

  constructor(ports: OutgoingPorts) {
    this.#ports = ports
    this.#beginMs = ports.clock.elapsedMs()
  }

  play(responseId: string, audio: string): void {
    const bytes = Buffer.from(audio, 'base64')
    // copied: a pool's memory need not begin at an even place
    const pcm = new Int16Array(bytes.length >> 1)
    Buffer.from(pcm.buffer).set(bytes.subarray(0, pcm.byteLength))
    this.#queue.push({ responseId, pcm })
    this.#held += pcm.length
    this.look()
  }

  finish(responseId: string): void {
    this.#queue.push({ responseId, pcm: undefined })
  }

  stop(isTold: boolean): void {
    const responseId = this.#playing ?? this.#queue[0]?.responseId
    this.#queue.length = 0
    this.#held = 0
    this.#playing = undefined
    if (responseId !== undefined && !isTold) this.#ports.tell('output_audio_buffer.cleared', responseId)
  }

  /** Sends what it is time for; called again and again, as long as the call lasts. */
  look(): void {
    const nowMs = this.#ports.clock.elapsedMs()
    this.#tellEnds()
    if (this.#queue.length === 0 && this.#rest === 0) {
      this.#isSilent = true
      return
    }
    // whoever was silent, or could not keep up, begins anew
    if (this.#nextMs < nowMs - leadMs) this.#nextMs = nowMs
    while (this.#nextMs < nowMs + leadMs && this.#isComplete(nowMs) && this.#sendFrame()) this.#nextMs += frameMs
  }

  /** A frame that is not waits for the rest of it as long as there is time. */
  #isComplete(nowMs: number): boolean {
    return this.#held >= frameSamples || this.#nextMs <= nowMs
  }

  #sendFrame(): boolean {
    const isSpoken = this.#fill()
    if (!isSpoken && this.#rest === 0) return false
    this.#rest = isSpoken ? restFrames : this.#rest - 1
    const timestamp = Math.round((this.#nextMs - this.#beginMs) / frameMs) * frameTicks
    this.#ports.send({ payload: this.#ports.encoder.encode(this.#frame), timestamp, isFirst: this.#isSilent })
    this.#isSilent = false
    this.#tellEnds()
    return true
  }

  /** With what was said, and silence where there is no more of it; false when it is all silence. */
  #fill(): boolean {
    this.#frame.fill(0)
    let at = 0
    while (at < frameSamples) {
      const [first] = this.#queue
      if (!first?.pcm) break
      if (this.#playing !== first.responseId) this.#begin(first.responseId)
      const taken = first.pcm.subarray(0, frameSamples - at)
      this.#frame.set(taken, at)
      at += taken.length
      this.#held -= taken.length
      if (taken.length === first.pcm.length) this.#queue.shift()
      else this.#queue[0] = { ...first, pcm: first.pcm.subarray(taken.length) }
    }
    return at > 0
  }

  #begin(responseId: string): void {
    this.#playing = responseId
    this.#ports.tell('output_audio_buffer.started', responseId)
  }

  #tellEnds(): void {
    while (this.#queue[0] && !this.#queue[0].pcm) {
      const { responseId } = this.#queue.shift()!
      if (this.#playing !== responseId) continue
      this.#playing = undefined
      this.#ports.tell('output_audio_buffer.stopped', responseId)
    }
  }
}
