import { ending, errorEvent } from './close.ts'
import type { SessionEnding } from './close.ts'

export interface SocketLimits {
  /** What a client may leave unread. */
  readonly sendBufferBytes: number
  /** Frames that may come at once, and how many more each second. */
  readonly framesAtOnce: number
  readonly framesPerSecond: number
}

/** What is beneath a socket: a WebSocket of uWebSockets, or the data channel of a call. */
export interface Line {
  cork(run: () => void): unknown
  send(event: string): unknown
  getBufferedAmount(): number
  end(code: number, reason: string): void
}

const reasonMaxBytes = 123

/** One client: sends until it closes, closes once, and sends nothing after that (I16). */
export class Socket {
  #line: Line | undefined
  readonly #limits: SocketLimits
  readonly #newId: (prefix: string) => string
  #frames: number
  #countedMs = 0
  #waiting: (() => void)[] = []

  constructor(line: Line, options: { limits: SocketLimits; newId: (prefix: string) => string }) {
    this.#line = line
    this.#limits = options.limits
    this.#newId = options.newId
    this.#frames = options.limits.framesAtOnce
  }

  get isOpen(): boolean {
    return this.#line !== undefined
  }

  send(event: string): void {
    const line = this.#line
    if (!line) return
    line.cork(() => line.send(event))
    this.#endIfUnread(line)
  }

  /** uWebSockets answers a ping by itself; what it answered counts as any other event, and so does what is left unread of it. */
  pinged(nowMs: number): void {
    const line = this.#line
    if (line && this.counts(nowMs)) this.#endIfUnread(line)
  }

  /** With the last event that says why. */
  end(why: SessionEnding): void {
    const line = this.#line
    if (!line) return
    // a reader that is too slow would not see it before the close frame anyway
    if (why.code !== 'slow_reader') line.send(errorEvent(why, this.#newId('event')))
    this.close(why.closeCode, why.reason)
  }

  /**
   * Resolves when the client has read enough to be sent more, and when it is gone. Who reads nothing for so long is gone then: for whoever can
   * wait with what it sends.
   */
  async room(withinMs: number): Promise<void> {
    if (this.#hasRoom()) return
    await new Promise<void>((resolve) => {
      const tooSlow = setTimeout(() => this.end(slowReader(this.#limits.sendBufferBytes)), withinMs)
      this.#waiting.push(() => {
        clearTimeout(tooSlow)
        resolve()
      })
    })
  }

  /** It has read some of what it was sent. */
  wasRead(): void {
    if (this.#hasRoom()) for (const tell of this.#waiting.splice(0)) tell()
  }

  #hasRoom(): boolean {
    return !this.#line || this.#line.getBufferedAmount() < this.#limits.sendBufferBytes / 2
  }

  close(code: number, reason: string): void {
    const line = this.#line
    this.forget()
    line?.end(code, Buffer.from(reason).subarray(0, reasonMaxBytes).toString('utf8'))
  }

  /** It closed by itself. */
  forget(): void {
    this.#line = undefined
    this.wasRead()
  }

  /** False when frames come faster than anyone speaks or types; then it is closed. */
  counts(nowMs: number): boolean {
    const { framesAtOnce, framesPerSecond } = this.#limits
    const regained = ((nowMs - this.#countedMs) / 1000) * framesPerSecond
    this.#frames = Math.min(framesAtOnce, this.#frames + regained) - 1
    this.#countedMs = nowMs
    if (this.#frames >= 0) return true
    this.end(ending('rate_limit_exceeded', `More than ${framesPerSecond} events a second came for too long.`))
    return false
  }

  #endIfUnread(line: Line): void {
    if (line.getBufferedAmount() > this.#limits.sendBufferBytes) this.end(slowReader(this.#limits.sendBufferBytes))
  }
}

function slowReader(bytes: number): SessionEnding {
  return ending('slow_reader', `More than ${bytes} bytes were left unread.`)
}
