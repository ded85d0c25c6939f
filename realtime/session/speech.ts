import type { SpokenClause, Voices } from '../../actors/conversation/ports.ts'
import type { Clock } from '../../actors/ports.ts'
import type { SessionLimits } from './limits.ts'
import type { Playhead } from './playhead.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { Settings } from './settings.ts'
import { createOutputEncoder } from './sound-out.ts'
import { rateOf } from './sound-in.ts'
import { createTextQueue } from './text-queue.ts'

/** Speaks the text of one message while it is written, no further ahead of the listener than it must. */
export interface SpeechOutput {
  say(text: string): void
  /** No more text comes. Resolves when everything was sent; `hurry` gives up the pace, for what waits behind it. */
  finish(hurry: boolean): Promise<void>
}

export interface SpeechOf {
  readonly voices: Voices
  readonly voice: string
  readonly settings: Settings
  readonly writer: ResponseWriter
  readonly playhead: Playhead
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly signal: AbortSignal
  /** After the first sound was sent. */
  begun(): void
  keep(itemId: string, pcm: Int16Array): void
  readonly failed: (error: unknown) => void
}

export function startSpeech(of: SpeechOf): SpeechOutput {
  const queue = createTextQueue()
  const hurrying = new AbortController()
  const encoder = createOutputEncoder(of.settings.outputFormat)
  const bytesPerMs = (rateOf(of.settings.outputFormat) * (of.settings.outputFormat === 'pcm16' ? 2 : 1)) / 1_000
  let begun = false

  async function send(bytes: Buffer): Promise<void> {
    const step = Math.round(bytesPerMs * of.limits.deltaMs)
    for (let at = 0; at < bytes.length; at += step) {
      const piece = bytes.subarray(at, at + step)
      const ms = piece.length / bytesPerMs
      await keepPace(ms)
      if (!of.writer.isOpen) return
      of.writer.audio(piece.toString('base64'), ms)
      of.playhead.sent(ms, of.clock.elapsedMs())
      if (!begun) of.begun()
      begun = true
    }
  }

  /** Waits until `ms` more may be sent without being too far ahead of the listener. */
  async function keepPace(ms: number): Promise<void> {
    const waitMs = of.playhead.aheadMs(of.clock.elapsedMs()) + ms - of.limits.aheadMs
    if (waitMs <= 0 || hurrying.signal.aborted || of.signal.aborted) return
    await pause(waitMs, [of.signal, hurrying.signal])
  }

  async function sendClause(clause: SpokenClause): Promise<void> {
    of.writer.clause(clause)
    const itemId = of.writer.speaking?.itemId
    if (itemId !== undefined) of.keep(itemId, clause.samples)
    await send(encoder.encode(clause.samples))
  }

  async function run(): Promise<void> {
    const manner = { voice: of.voice, speed: of.settings.speed, signal: of.signal }
    for await (const clause of of.voices.speak(queue, manner)) {
      if (!of.writer.isOpen) return
      await sendClause(clause)
    }
    if (of.writer.isOpen) await send(encoder.flush())
  }

  of.signal.addEventListener('abort', queue.end, { once: true })
  const sent = run()
  sent.catch(of.failed)
  return {
    say: queue.push,
    async finish(hurry) {
      queue.end()
      if (hurry) hurrying.abort()
      await sent
      of.signal.removeEventListener('abort', queue.end)
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
