import type { Buckets } from '../actors/bucket.ts'
import type { Principal } from '../actors/identity.ts'
import type { Clock, Log } from '../actors/ports.ts'
import { ending } from './close.ts'
import type { SessionEnding } from './close.ts'
import type { Admission, Admitted, Doors } from './connect/admit.ts'
import type { SessionDays } from './connect/session-days.ts'
import type { RunningSession, Speaker } from './session/session.ts'
import { Socket } from './socket.ts'
import type { Line, SocketLimits } from './socket.ts'

/** What uWebSockets keeps with a socket. */
export interface UserData {
  readonly client: RealtimeClient
}

export interface ClientPorts {
  readonly doors: Pick<Doors, 'places' | 'isDraining'>
  /** Opens the session of an admitted client on its socket; on a call with what plays its audio. */
  open(admitted: Admitted, socket: Socket, speaker?: Speaker): RunningSession
  /** What each user may send, in all of their sessions together. Absent: as much as anybody likes. */
  readonly bytes?: Buckets
  /** Told of each session that has ended. Absent: nobody counts them. */
  readonly days?: Pick<SessionDays, 'ended'>
  newId(prefix: string): string
  readonly clock: Clock
  readonly log: Log
}

/** Undefined for a binary one. */
type Frame = string | undefined

/** Frames of a client that is not yet let in: some begin to speak without waiting for `session.created`. */
const earlyFramesMax = 256
const earlyBytesMax = 1024 * 1024
const tooEarly = `At most ${earlyFramesMax} events with ${earlyBytesMax} bytes may come before session.created.`
const timerMaxMs = 2 ** 31 - 1

/** One client from its socket's opening to its close: let in or refused, then served by its session. */
export class RealtimeClient {
  readonly #admission: Promise<Admission>
  readonly #ports: ClientPorts
  #socket: Socket | undefined
  #session: RunningSession | undefined
  #owner: Principal['owner'] | undefined
  #keyId: string | undefined
  #untilTimer: NodeJS.Timeout | undefined
  #begunAtMs = 0
  #early: Frame[] = []
  #earlyBytes = 0

  constructor(admission: Promise<Admission>, ports: ClientPorts) {
    this.#admission = admission
    this.#ports = ports
  }

  /** Of the API key that opened its session. */
  get keyId(): string | undefined {
    return this.#keyId
  }

  async open(line: Line, limits: SocketLimits, speaker?: Speaker): Promise<void> {
    this.#socket = new Socket(line, { limits, newId: (prefix) => this.#ports.newId(prefix) })
    const admission = await this.#admission
    if ('refused' in admission) return this.#socket.end(admission.refused)
    const { admitted } = admission
    if (this.#socket.isOpen && !this.#ports.doors.isDraining()) return this.#begin(admitted, this.#socket, speaker)
    this.#ports.doors.places.give(admitted.principal.owner)
    this.#socket.end(ending('server_restart', 'This server is about to stop. Connect again.'))
  }

  /** An event, as it was written. */
  receive(event: string): void {
    this.#take(event, Buffer.byteLength(event))
  }

  receiveBinary(sizeBytes: number): void {
    this.#take(undefined, sizeBytes)
  }

  /** Audio that came another way than in events. */
  hear(pcm: Int16Array): void {
    this.#session?.hear(pcm)
  }

  /** How much audio was sent that is not played yet, by who plays it. */
  reportPlayback(aheadMs: number): void {
    this.#session?.reportPlayback(aheadMs)
  }

  pinged(): void {
    this.#socket?.pinged(this.#ports.clock.elapsedMs())
  }

  wasRead(): void {
    this.#socket?.wasRead()
  }

  drain(): void {
    this.#session?.drain()
  }

  end(why: SessionEnding): void {
    this.#socket?.end(why)
  }

  /** However it ended: nothing runs on for a client that is gone. `isDone`: it said so itself, and will not come back. */
  closed(isDone = false): void {
    this.#socket?.forget()
    this.#early = []
    clearTimeout(this.#untilTimer)
    this.#session?.end(isDone)
    if (this.#owner === undefined) return
    this.#ports.doors.places.give(this.#owner)
    this.#ports.days?.ended(this.#owner, (this.#ports.clock.elapsedMs() - this.#begunAtMs) / 1000)
  }

  #take(frame: Frame, sizeBytes: number): void {
    if (!this.#socket?.isOpen || !this.#socket.counts(this.#ports.clock.elapsedMs())) return
    if (this.#owner !== undefined && this.#ports.bytes?.take(this.#owner, sizeBytes) !== undefined)
      return this.end(ending('rate_limit_exceeded', 'Your sessions send more than their share of bytes.'))
    if (this.#session) return deliver(this.#session, frame)
    this.#early.push(frame)
    this.#earlyBytes += sizeBytes
    if (this.#early.length > earlyFramesMax || this.#earlyBytes > earlyBytesMax)
      this.end(ending('rate_limit_exceeded', tooEarly))
  }

  #begin(admitted: Admitted, socket: Socket, speaker: Speaker | undefined): void {
    const session = this.#ports.open(admitted, socket, speaker)
    this.#session = session
    this.#owner = admitted.principal.owner
    this.#keyId = admitted.keyId
    this.#begunAtMs = this.#ports.clock.elapsedMs()
    if (admitted.untilMs !== undefined) this.#untilTimer = this.#endAt(admitted.untilMs)
    this.#ports.log.debug('session opened', { owner: admitted.principal.owner, kind: admitted.kind })
    const early = this.#early
    this.#early = []
    for (const frame of early) deliver(session, frame)
  }

  #endAt(untilMs: number): NodeJS.Timeout {
    const leftMs = Math.min(timerMaxMs, Math.max(0, untilMs - this.#ports.clock.nowMs()))
    const why = ending('session_expired', 'Your token expired, and the session with it. Connect again with a new one.')
    return setTimeout(() => this.end(why), leftMs).unref()
  }
}

function deliver(session: RunningSession, frame: Frame): void {
  if (frame === undefined) session.receiveBinary()
  else session.receive(frame)
}
