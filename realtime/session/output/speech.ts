import type { SpokenClause, Voices } from '../../../actors/conversation/ports.ts'
import type { Clock } from '../../../actors/ports.ts'
import { bytesPerSecond } from '../audio-clip.ts'
import type { SessionLimits } from '../limits.ts'
import type { ResponseOutput } from '../protocol.ts'
import type { Settings } from '../settings/settings.ts'
import { createOutputEncoder } from './audio-out.ts'
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
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly newId: (prefix: string) => string
  readonly signal: AbortSignal
  readonly tell: (output: ResponseOutput) => void
  /** How much audio is sent and not played yet. */
  readonly aheadMs: () => number
  /** After the first audio was sent. */
  begun(): void
  readonly failed: (error: unknown) => void
}

export function startSpeech(ports: SpeechOutputPorts): SpeechOutput {
  const { signal, tell } = ports
  const queue = createTextQueue()
  const hurrying = new AbortController()
  const encoder = createOutputEncoder(ports.settings.outputFormat)
  const send = createPacedSender(ports, hurrying.signal)
  let begun = false

  async function sendClause(clause: SpokenClause): Promise<void> {
    if (!begun) tell({ type: 'MessageBegan', itemId: ports.newId('item'), kind: 'audio' })
    begun = true
    tell({ type: 'ClauseSpoken', clause })
    await send(encoder.encode(clause.samples))
  }

  async function run(): Promise<void> {
    const { voice, settings } = ports
    for await (const clause of ports.voices.speak(queue, { voice, speed: settings.speed, signal })) {
      if (signal.aborted) return
      await sendClause(clause)
    }
    if (!signal.aborted) await send(encoder.flush())
  }

  signal.addEventListener('abort', queue.end, { once: true })
  const sent = run()
  sent.catch(ports.failed)
  return {
    say: queue.push,
    async finish(hurry) {
      queue.end()
      if (hurry) hurrying.abort()
      await sent
      signal.removeEventListener('abort', queue.end)
    },
  }
}

/** In pieces, each no sooner than the listener is near enough to its end. */
function createPacedSender(ports: SpeechOutputPorts, hurry: AbortSignal): (bytes: Buffer) => Promise<void> {
  const { signal, limits, tell } = ports
  const bytesPerMs = bytesPerSecond(ports.settings.outputFormat) / 1_000
  const step = Math.round(bytesPerMs * limits.deltaMs)
  let begun = false

  async function keepPace(ms: number): Promise<void> {
    const waitMs = ports.aheadMs() + ms - limits.aheadMs
    if (waitMs <= 0 || hurry.aborted || signal.aborted) return
    await pause(waitMs, [signal, hurry])
  }

  return async (bytes) => {
    for (let at = 0; at < bytes.length; at += step) {
      const piece = bytes.subarray(at, at + step)
      const ms = piece.length / bytesPerMs
      await keepPace(ms)
      if (signal.aborted) return
      tell({ type: 'AudioSent', base64: piece.toString('base64'), ms })
      if (!begun) ports.begun()
      begun = true
    }
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
