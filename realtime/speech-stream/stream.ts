import type { SpokenClause, Voices } from '../../actors/conversation/ports.ts'
import { FailureError } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { ending, endingOf } from '../close.ts'
import { rateOf } from '../session/audio-clip.ts'
import { createTextQueue } from '../session/output/text-queue.ts'
import type { RunningSession } from '../session/session.ts'
import type { Socket } from '../socket.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import { openFrames } from './frames.ts'
import type { StreamSettings } from './settings.ts'
import { streamEventReader } from './wire.ts'
import type { StreamEvent } from './wire.ts'

interface SpeechStreamPorts {
  readonly settings: StreamSettings
  readonly voices: Voices
  readonly socket: Pick<Socket, 'send' | 'end' | 'close' | 'isOpen' | 'room'>
  readonly limits: StreamLimits
  readonly newId: (prefix: string) => string
  readonly log: Log
}

export interface StreamLimits {
  /** How long it may last. */
  readonly sessionSeconds: number
  /** Of one event. */
  readonly textCharacters: number
  /** That were written and are not spoken yet. */
  readonly waitingCharacters: number
  /** That came and are not answered yet. */
  readonly waitingFlushes: number
  /** How long a client may leave what it was sent unread. */
  readonly unreadMs: number
}

export const streamLimits: Omit<StreamLimits, 'sessionSeconds'> = {
  textCharacters: 4_096,
  waitingCharacters: 20_000,
  waitingFlushes: 256,
  unreadMs: 60_000,
}

/** Text from one event that ends it to the next: it is spoken in one go. */
interface Utterance {
  readonly text: ReturnType<typeof createTextQueue>
  readonly stopping: AbortController
  /** Characters that were written and are not spoken yet. */
  waiting: number
  /** What the client is told when all of it was sent. */
  answer: 'flushed' | 'done' | undefined
}

const closedInOrder = 1000

/** Speaks text while somebody writes it: `ready` is sent before this returns. */
export function openSpeechStream(ports: SpeechStreamPorts): RunningSession {
  const { settings, limits, newId } = ports
  const stream = new SpeechStream(ports)
  const read = streamEventReader(limits.textCharacters)
  stream.tell({ type: 'ready', stream_id: newId('speech'), ...settings, rate: rateOf(settings.format) })
  return {
    receive(frame) {
      const { eventId, ...parsed } = read(frame)
      const refusal = 'refusal' in parsed ? parsed.refusal : stream.handle(parsed.event)
      if (refusal) stream.refuse(refusal, eventId)
    },
    receiveBinary: () =>
      stream.refuse(refused('invalid_event', 'Binary frames are not understood. Send events as JSON text.'), null),
    hear: () => undefined,
    reportPlayback: () => undefined,
    drain: () => stream.drain(),
    end: () => stream.stop(),
  }
}

class SpeechStream {
  readonly #ports: SpeechStreamPorts
  readonly #frames: ReturnType<typeof openFrames>
  readonly #expiry: NodeJS.Timeout
  /** The last one is written to, unless it has been ended; the first one is spoken. */
  #utterances: Utterance[] = []
  #isSpeaking = false
  #isEnded = false
  #isDraining = false

  constructor(ports: SpeechStreamPorts) {
    this.#ports = ports
    this.#frames = openFrames(ports.settings.format)
    const { sessionSeconds } = ports.limits
    const why = ending('session_expired', `A stream lasts ${sessionSeconds} seconds at most. Connect again.`)
    this.#expiry = setTimeout(() => ports.socket.end(why), sessionSeconds * 1_000).unref()
  }

  tell(event: object): void {
    this.#ports.socket.send(JSON.stringify(event))
  }

  refuse(error: Refusal, causedBy: string | null): void {
    this.tell({ type: 'error', event_id: this.#ports.newId('event'), error: { ...error, event_id: causedBy } })
  }

  /** Why not, when it is refused. */
  handle(event: StreamEvent): Refusal | undefined {
    if (this.#isEnded)
      return refused('invalid_event', 'The stream has been ended: what was written is still spoken. Open another one.')
    if (event.type === 'text') this.#write(event.text)
    else if (event.type === 'clear') this.#clear()
    else if (event.type === 'end') this.#finish('done')
    else this.#flush()
    return undefined
  }

  /** What was written is spoken, and then the client goes elsewhere. */
  drain(): void {
    this.#isDraining = true
    if (!this.#isEnded) this.#finish('done')
  }

  /** Nobody listens any more. */
  stop(): void {
    clearTimeout(this.#expiry)
    this.#isEnded = true
    this.#drop()
  }

  #write(text: string): void {
    const { waitingCharacters } = this.#ports.limits
    const waiting = this.#utterances.reduce((sum, one) => sum + one.waiting, text.length)
    if (waiting > waitingCharacters)
      return this.#ports.socket.end(
        ending('rate_limit_exceeded', `More than ${waitingCharacters} characters were waiting to be spoken.`),
      )
    const utterance = this.#open()
    utterance.waiting += text.length
    utterance.text.push(text)
  }

  #flush(): void {
    const { waitingFlushes } = this.#ports.limits
    if (this.#utterances.length < waitingFlushes) return this.#finish('flushed')
    this.#ports.socket.end(
      ending('rate_limit_exceeded', `More than ${waitingFlushes} flushes were waiting to be answered.`),
    )
  }

  #clear(): void {
    this.#drop()
    this.#frames.drop()
    this.tell({ type: 'cleared' })
  }

  #finish(answer: 'flushed' | 'done'): void {
    this.#isEnded = answer === 'done'
    const utterance = this.#open()
    utterance.answer = answer
    utterance.text.end()
  }

  #open(): Utterance {
    const last = this.#utterances.at(-1)
    if (last && last.answer === undefined) return last
    const opened = { text: createTextQueue(), stopping: new AbortController(), waiting: 0, answer: undefined }
    this.#utterances.push(opened)
    if (!this.#isSpeaking) void this.#speakAll()
    return opened
  }

  #drop(): void {
    for (const { text, stopping } of this.#utterances) {
      stopping.abort(new Error('it is not to be spoken any more'))
      text.end()
    }
    this.#utterances = []
  }

  async #speakAll(): Promise<void> {
    this.#isSpeaking = true
    for (let next = this.#utterances[0]; next; next = this.#utterances[0]) {
      await this.#speak(next).catch((error: unknown) => this.#fail(error, next))
      if (this.#utterances[0] === next) this.#utterances.shift()
    }
    this.#isSpeaking = false
  }

  async #speak(utterance: Utterance): Promise<void> {
    const { voices, settings } = this.#ports
    const { signal } = utterance.stopping
    const { voice, speed } = settings
    for await (const clause of voices.speak(utterance.text, { voice, speed, signal })) {
      utterance.waiting = Math.max(0, utterance.waiting - clause.text.length)
      await this.#send(clause, signal)
      if (signal.aborted) return
    }
    if (signal.aborted) return
    if (utterance.answer === 'flushed') this.tell({ type: 'flushed' })
    if (utterance.answer === 'done') this.#close()
  }

  /** No faster than it is read: nothing more is made while the client has not read what it was sent. */
  async #send(clause: SpokenClause, signal: AbortSignal): Promise<void> {
    const { socket, limits } = this.#ports
    for (const frame of this.#frames.of(clause)) {
      await socket.room(limits.unreadMs)
      if (signal.aborted || !socket.isOpen) return
      this.tell({ type: 'audio', ...frame() })
    }
  }

  #close(): void {
    const duration = this.#frames.seconds()
    const audio = this.#frames.rest()
    if (audio !== '') this.tell({ type: 'audio', audio, start: duration, end: duration, words: [] })
    this.tell({ type: 'done', duration })
    if (this.#isDraining)
      this.#ports.socket.end(ending('server_restart', 'This server is about to stop. Connect again.'))
    else this.#ports.socket.close(closedInOrder, 'done')
  }

  #fail(error: unknown, { stopping }: Utterance): void {
    if (stopping.signal.aborted) return
    const { log, socket } = this.#ports
    log.warn('speech stream failed', { error })
    const isPassing = error instanceof FailureError && error.failure.kind !== 'terminal'
    socket.end(
      isPassing
        ? endingOf(error)
        : ending('internal_error', 'The text could not be spoken, for a reason that was logged.'),
    )
  }
}
