import { setMaxListeners } from 'node:events'

import type { FileResult, Script } from '../../actors/transcript/state.ts'
import { assemble } from './assemble.ts'
import type { HeardChunk } from './assemble.ts'
import type { Analyst } from './analysis/analyst.ts'
import type { HearOptions, Router } from './asr/router.ts'
import type { Decoder } from './audio/decode.ts'
import { sampleRate } from './audio/mel.ts'
import { createCutter } from './vad/cutter.ts'
import type { AudioChunk } from './vad/cutter.ts'
import type { VoiceActivity } from './vad/silero.ts'

/** From any audio file to text with times. */
export interface SpeechEngine {
  transcribe(path: string, options: TranscribeOptions): Promise<FileResult>
  close(): Promise<void>
}

export interface TranscribeOptions extends HearOptions {
  readonly script: Script
  readonly channels: 'mix' | 'separate'
  /** Adds speaker, tone, accent and prosody to each segment. */
  readonly speechInformation: boolean
  /** Seconds heard so far, and of how many if the header tells. */
  onProgress?(heardSeconds: number, ofSeconds: number | null): void
}

export interface EngineParts {
  readonly decoder: Decoder
  readonly vad: VoiceActivity
  readonly router: Router
  readonly analyst: Analyst
  /** Chunks in the hands of recognisers at once: enough to keep them busy, few enough to bound memory. */
  readonly chunksInFlight: number
}

export function createEngine(parts: EngineParts): SpeechEngine {
  return {
    async transcribe(path, options) {
      const { signal } = options
      // every clip that waits for a thread listens: many at once are no leak
      if (signal) setMaxListeners(0, signal)
      const decoding = await parts.decoder.decode(path, { channels: options.channels, ...(signal && { signal }) })
      const hearing = new Hearing(parts, options, decoding.declaredSeconds)
      const cutters = Array.from({ length: decoding.channels }, () => createCutter({ vad: parts.vad }))
      let samples = 0
      for await (const block of decoding) {
        samples += block[0]?.length ?? 0
        for (const [channel, cutter] of cutters.entries())
          for await (const chunk of cutter.push(block[channel]!)) await hearing.begin(chunk, channel)
      }
      for (const [channel, cutter] of cutters.entries())
        for await (const chunk of cutter.end()) await hearing.begin(chunk, channel)
      const chunks = await hearing.finish()
      return assemble({
        chunks,
        durationSeconds: samples / sampleRate,
        script: options.script,
        channels: decoding.channels,
        speechInformation: options.speechInformation,
        warnings: [...decoding.warnings.map(({ message }) => message), ...doubts(chunks)],
      })
    },
    async close() {
      await Promise.all([parts.decoder.close(), parts.router.close(), parts.analyst.close(), parts.vad.close()])
    },
  }
}

/** Chunks on their way through the recognisers, a bounded number at a time. */
class Hearing {
  readonly #heard: HeardChunk[] = []
  readonly #running = new Set<Promise<void>>()
  #failure: unknown
  #heardSeconds = 0

  constructor(
    private readonly parts: EngineParts,
    private readonly options: TranscribeOptions,
    private readonly ofSeconds: number | null,
  ) {}

  /** Resolves when there is room for the next one. */
  async begin(audio: AudioChunk, channel: number): Promise<void> {
    this.options.signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure
    const step = this.#hear(audio, channel).catch((error: unknown) => {
      this.#failure ??= error
    })
    this.#running.add(step)
    void step.finally(() => this.#running.delete(step))
    if (this.#running.size >= this.parts.chunksInFlight) await Promise.race(this.#running)
  }

  async finish(): Promise<HeardChunk[]> {
    await Promise.all(this.#running)
    if (this.#failure !== undefined) throw this.#failure
    return this.#heard
  }

  async #hear({ chunk, samples, speech }: AudioChunk, channel: number): Promise<void> {
    const { transcript, model } = await this.parts.router.hear(samples, this.options)
    const measures = await this.parts.analyst.measure(samples, chunk.start / sampleRate, transcript.words)
    this.#heard.push({ chunk, channel, model, transcript, speech, measures })
    this.#heardSeconds = Math.max(this.#heardSeconds, chunk.end / sampleRate)
    this.options.onProgress?.(this.#heardSeconds, this.ofSeconds)
  }
}

function doubts(chunks: readonly HeardChunk[]): string[] {
  return chunks
    .filter(({ transcript }) => transcript.flags.includes('doubtful'))
    .sort((one, other) => one.chunk.start - other.chunk.start)
    .map(({ chunk }) => `From ${clock(chunk.start)} to ${clock(chunk.end)} the words are doubtful.`)
}

function clock(samples: number): string {
  const seconds = Math.floor(samples / sampleRate)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
