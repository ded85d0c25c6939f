import type { Log, Timer } from '../../actors/ports.ts'
import type {
  BegunRecording,
  RecordingObstacle,
  RecordingPiece,
  SessionRecordings,
} from '../../actors/session-recording/ports.ts'

interface WriterPorts {
  readonly recordings: Pick<SessionRecordings, 'begin' | 'append' | 'end' | 'obstacle'>
  readonly timer: Timer
  readonly log: Log
}

interface WriterOptions {
  readonly recording: BegunRecording
  /** A name that nobody else writes under. */
  readonly writer: string
  /** Storage has been away for so long that what waits for it is more than there is room for. */
  full(): void
  /** As gateways see it now, whenever that changes. */
  hindered(obstacle: RecordingObstacle): void
}

/** Two minutes of a conversation: about two megabytes. */
const waitingMax = 12
const retryMs = 5_000
/** Of a recording that is over, so that a process that stops does not wait for ever. */
const lastAttempts = 3
const lastRetryMs = 1_000

/** Brings the pieces of one recording to storage, one after the other, each until it is there. */
export class RecordingWriter {
  readonly #ports: WriterPorts
  readonly #options: WriterOptions
  readonly #waiting: RecordingPiece[] = []
  #isBegun = false
  #hinderedBy: RecordingObstacle['reason'] | undefined
  #isOver = false
  #writing: Promise<void> | undefined
  #hurry: (() => void) | undefined

  constructor(ports: WriterPorts, options: WriterOptions) {
    this.#ports = ports
    this.#options = options
  }

  push(piece: RecordingPiece): void {
    if (this.#isOver) return
    if (this.#waiting.length >= waitingMax) return this.#options.full()
    this.#waiting.push(piece)
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined))
  }

  /** Everything that waits, and that nothing more comes where `isEnded`. Never rejects. */
  async finish(isEnded: boolean): Promise<void> {
    this.#isOver = true
    this.#hurry?.()
    await this.#writing
    for (let attempt = 1; attempt <= lastAttempts; attempt += 1) {
      try {
        await this.#writeWaiting()
        if (isEnded && this.#isBegun) await this.#ports.recordings.end(this.#options.recording)
        return
      } catch (error) {
        this.#failed(error)
        if (attempt < lastAttempts) await this.#pause(lastRetryMs)
      }
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isOver) {
      try {
        await this.#writeWaiting()
      } catch (error) {
        this.#failed(error)
        await this.#pause(retryMs)
      }
    }
  }

  async #writeWaiting(): Promise<void> {
    const { recordings } = this.#ports
    const { recording, writer } = this.#options
    for (let piece = this.#waiting[0]; piece; piece = this.#waiting[0]) {
      if (!this.#isBegun) await recordings.begin(recording)
      this.#isBegun = true
      await recordings.append(recording, writer, piece)
      // whoever took the recording for ended meanwhile has cleared away what was there: this is found, and cleared away too
      await recordings.begin(recording)
      this.#waiting.shift()
      await this.#lookForObstacle()
    }
  }

  async #lookForObstacle(): Promise<void> {
    try {
      const obstacle = await this.#ports.recordings.obstacle(this.#options.recording)
      if (obstacle && obstacle.reason !== this.#hinderedBy) this.#options.hindered(obstacle)
      this.#hinderedBy = obstacle?.reason
    } catch (error) {
      this.#ports.log.debug('it was not seen whether a recording can become a file', { error })
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#ports.timer.after(ms, resolve)
      this.#hurry = () => {
        stop()
        resolve()
      }
    })
  }

  #failed(error: unknown): void {
    this.#ports.log.warn('a piece of a session was not stored', { fileId: this.#options.recording.fileId, error })
  }
}
