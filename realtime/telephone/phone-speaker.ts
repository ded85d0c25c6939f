import type { Clock } from '../../actors/ports.ts'
import type { Speaker } from '../session/session.ts'
import type { CarrierMessage } from './carrier.ts'
import type { createPhoneCodec } from './phone-codec.ts'

interface SpeakerPorts {
  readonly codec: ReturnType<typeof createPhoneCodec>
  readonly pieceBytes: number
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly send: (message: CarrierMessage) => void
  /** How much of what was sent the caller has not heard yet. */
  readonly report: (aheadMs: number) => void
}

/** Audio that the carrier has and has not told us to be played. */
interface Piece {
  readonly mark: string
  readonly ms: number
}

/** A carrier that tells no marks for so long after it should have tells none: then the clock is all there is. */
const markLateMs = 2_000

/** Audio of answers goes to the carrier, which plays it in its own time, and each piece is marked to know how far it is. */
export class PhoneSpeaker implements Speaker {
  readonly format: Speaker['format']
  readonly #ports: SpeakerPorts
  readonly #playing: Piece[] = []
  /** Less than a piece, which waits for more. */
  #rest = Buffer.alloc(0)
  #marks = 0
  /** When the first piece of those that are playing began, at the earliest. */
  #sinceMs = 0
  #isLate = false

  constructor(ports: SpeakerPorts) {
    this.#ports = ports
    this.format = ports.codec.format
  }

  play(_: string, audio: string): void {
    const { codec, pieceBytes } = this.#ports
    const bytes = Buffer.concat([this.#rest, codec.toCarrier(audio)])
    const whole = bytes.length - (bytes.length % pieceBytes)
    this.#rest = bytes.subarray(whole)
    if (whole > 0) this.#send(bytes.subarray(0, whole))
  }

  finish(): void {
    const { codec, pieceBytes } = this.#ports
    if (this.#rest.length === 0) return
    const filled = Buffer.concat([this.#rest, Buffer.alloc(pieceBytes - this.#rest.length, codec.silence)])
    this.#rest = Buffer.alloc(0)
    this.#send(filled)
  }

  stop(): void {
    const isPlaying = this.#playing.length > 0 || this.#isLate
    this.#playing.length = 0
    this.#rest = Buffer.alloc(0)
    if (isPlaying) this.#ports.send({ type: 'Clear' })
  }

  /** The carrier says so, for what was cleared too: marks of that are none of those that are playing. */
  reached(mark: string): void {
    this.#isLate = false
    const at = this.#playing.findIndex((piece) => piece.mark === mark)
    if (at < 0) return
    this.#playing.splice(0, at + 1)
    this.#sinceMs = this.#ports.clock.elapsedMs()
    this.#report()
  }

  /** Called again and again, as long as the call lasts. */
  look(): void {
    const [first] = this.#playing
    if (!first) return
    this.#isLate ||= this.#ports.clock.elapsedMs() - this.#sinceMs > first.ms + markLateMs
    if (this.#isLate) this.#playing.length = 0
    else this.#report()
  }

  #send(bytes: Buffer): void {
    const { codec, clock, send } = this.#ports
    this.#marks += 1
    const piece = { mark: `vaak-${this.#marks}`, ms: bytes.length / codec.bytesPerMs }
    if (this.#playing.length === 0) this.#sinceMs = clock.elapsedMs()
    this.#playing.push(piece)
    send({ type: 'Play', payload: bytes.toString('base64') })
    send({ type: 'Mark', name: piece.mark })
  }

  /** Of the first piece no more is played than there was time for, and never more than the whole of it. */
  #report(): void {
    const { codec, clock, report } = this.#ports
    const [first] = this.#playing
    const sentMs = this.#playing.reduce((sum, { ms }) => sum + ms, 0)
    const playedMs = Math.min(first?.ms ?? 0, clock.elapsedMs() - this.#sinceMs)
    report(sentMs - playedMs + this.#rest.length / codec.bytesPerMs)
  }
}
