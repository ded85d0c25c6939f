import type { SpokenClause, Voices } from '../../../actors/conversation/ports.ts'
import type { Clock } from '../../../actors/ports.ts'
import type { SessionLimits } from '../limits.ts'
import type { Playhead } from './playhead.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { Settings } from '../settings/settings.ts'
import { createOutputEncoder } from './audio-out.ts'
import { bytesPerSecond } from '../audio-clip.ts'
import { createTextQueue } from './text-queue.ts'

/** Speaks the text of one message while it is written, no further ahead of the listener than it must. */
export interface SpeechOutput {
  say(text: string): void
  /** No more text comes. Resolves when everything was sent; `hurry` gives up the pace, for what waits behind it. */
  finish(hurry: boolean): Promise<void>
}

export interface SpeechOutputPorts {
  readonly voices: Voices
  readonly voice: string
  readonly settings: Settings
  readonly writer: ResponseWriter
  readonly playhead: Playhead
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly signal: AbortSignal
  /** After the first audio was sent. */
  begun(): void
  keep(itemId: string, pcm: Int16Array): void
  readonly failed: (error: unknown) => void
}

export function startSpeech(ports: SpeechOutputPorts): SpeechOutput {
  const queue = createTextQueue()
  const hurrying = new AbortController()
  const encoder = createOutputEncoder(ports.settings.outputFormat)
  const bytesPerMs = bytesPerSecond(ports.settings.outputFormat) / 1_000
  let begun = false

  async function send(bytes: Buffer): Promise<void> {
    const step = Math.round(bytesPerMs * ports.limits.deltaMs)
    for (let at = 0; at < bytes.length; at += step) {
      const piece = bytes.subarray(at, at + step)
      const ms = piece.length / bytesPerMs
      await keepPace(ms)
      if (!ports.writer.isOpen) return
      ports.writer.audio(piece.toString('base64'), ms)
      ports.playhead.sent(ms, ports.clock.elapsedMs())
      if (!begun) ports.begun()
      begun = true
    }
  }

  /** Waits until `ms` more may be sent without being too far ahead of the listener. */
  async function keepPace(ms: number): Promise<void> {
    const waitMs = ports.playhead.aheadMs(ports.clock.elapsedMs()) + ms - ports.limits.aheadMs
    if (waitMs <= 0 || hurrying.signal.aborted || ports.signal.aborted) return
    await pause(waitMs, [ports.signal, hurrying.signal])
  }

  async function sendClause(clause: SpokenClause): Promise<void> {
    ports.writer.clause(clause)
    const itemId = ports.writer.speaking?.itemId
    if (itemId !== undefined) ports.keep(itemId, clause.samples)
    await send(encoder.encode(clause.samples))
  }

  async function run(): Promise<void> {
    const options = { voice: ports.voice, speed: ports.settings.speed, signal: ports.signal }
    for await (const clause of ports.voices.speak(queue, options)) {
      if (!ports.writer.isOpen) return
      await sendClause(clause)
    }
    if (ports.writer.isOpen) await send(encoder.flush())
  }

  ports.signal.addEventListener('abort', queue.end, { once: true })
  const sent = run()
  sent.catch(ports.failed)
  return {
    say: queue.push,
    async finish(hurry) {
      queue.end()
      if (hurry) hurrying.abort()
      await sent
      ports.signal.removeEventListener('abort', queue.end)
    },
  }
}

/** Over after a while, or as soon as one of the signals says so. */
function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    for (const signal of signals) signal.addEventListener('abort', over, { once: true })
  })
}
