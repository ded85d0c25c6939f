import { setMaxListeners } from 'node:events'

import type { FileResult, Script } from '../../actors/transcript/state.ts'
import { assemble } from './assemble.ts'
import type { HeardChunk } from './assemble.ts'
import type { Analyst } from './analysis/analyst.ts'
import type { HearOptions, Router } from './asr/router.ts'
import type { Decoder } from './audio/decode.ts'
import { sampleRate } from './audio/mel.ts'
import { Headway } from './headway.ts'
import { Slots } from './slots.ts'
import { createCutter } from './vad/cutter.ts'
import type { AudioChunk, Cutter } from './vad/cutter.ts'
import type { VoiceActivity } from './vad/silero.ts'

/** From any audio file to text with times. Several files may be on their way at once. */
export interface SpeechEngine {
  transcribe(path: string, options: TranscribeOptions): Promise<FileResult>
  close(): Promise<void>
}

export interface TranscribeOptions extends HearOptions {
  readonly script: Script
  readonly channels: 'mix' | 'separate'
  /** Adds speaker, tone, accent and prosody to each segment. */
  readonly speechInformation: boolean
  /** Seconds that are done with, silence included, and of how many: null while neither header nor last block told. */
  onProgress?(doneSeconds: number, ofSeconds: number | null): void
}

export interface EngineParts {
  readonly decoder: Decoder
  readonly vad: VoiceActivity
  readonly router: Router
  readonly analyst: Analyst
  /** Chunks in the hands of recognisers at once, of all files: enough to keep them busy, few enough to bound memory. */
  readonly chunksInFlight: number
}

export function createEngine(parts: EngineParts): SpeechEngine {
  const slots = new Slots(parts.chunksInFlight)
  return {
    async transcribe(path, options) {
      const { signal } = options
      // every clip that waits for a thread listens: many at once are no leak
      if (signal) setMaxListeners(0, signal)
      const decoding = await parts.decoder.decode(path, { channels: options.channels, ...(signal && { signal }) })
      const cutters = Array.from({ length: decoding.channels }, () => createCutter({ vad: parts.vad }))
      const hearing = new Hearing({ ...parts, slots, cutters }, options, decoding.declaredSeconds)
      let samples = 0
      for await (const block of decoding) {
        samples += block[0]?.length ?? 0
        for (const [channel, cutter] of cutters.entries())
          await hearing.take(channel, await cutter.push(block[channel]!))
      }
      const durationSeconds = samples / sampleRate
      hearing.lasts(durationSeconds)
      for (const [channel, cutter] of cutters.entries()) await hearing.take(channel, await cutter.end())
      const chunks = await hearing.finish()
      return assemble({
        chunks,
        durationSeconds,
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

interface HearingParts extends EngineParts {
  readonly slots: Slots
  /** One a channel. */
  readonly cutters: readonly Cutter[]
}

/** The chunks of one file on their way through the recognisers, a bounded number at a time. */
class Hearing {
  readonly #heard: HeardChunk[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #headway: Headway
  #ofSeconds: number | null
  #reportedSeconds = 0
  #failure: unknown

  constructor(
    private readonly parts: HearingParts,
    private readonly options: TranscribeOptions,
    declaredSeconds: number | null,
  ) {
    this.#headway = new Headway(parts.cutters.length)
    this.#ofSeconds = declaredSeconds
  }

  /** What the cutter of a channel has just decided. Resolves when all of it is in the hands of recognisers. */
  async take(channel: number, chunks: readonly AudioChunk[]): Promise<void> {
    this.#headway.decide(channel, this.parts.cutters[channel]!.decidedSamples, chunks)
    this.#report()
    for (const chunk of chunks) await this.#begin(chunk, channel)
  }

  /** A header may say nothing, or something wrong; the last block tells. */
  lasts(seconds: number): void {
    this.#ofSeconds = seconds
  }

  async finish(): Promise<HeardChunk[]> {
    await Promise.all(this.#running)
    if (this.#failure !== undefined) throw this.#failure
    return this.#heard
  }

  async #begin(audio: AudioChunk, channel: number): Promise<void> {
    await this.parts.slots.take(this.options.signal)
    if (this.#failure !== undefined) {
      this.parts.slots.give()
      throw this.#failure
    }
    const step = this.#hear(audio, channel)
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => {
        this.#running.delete(step)
        this.parts.slots.give()
      })
    this.#running.add(step)
  }

  async #hear(audio: AudioChunk, channel: number): Promise<void> {
    const { chunk, samples, speech } = audio
    const { transcript, model } = await this.parts.router.hear(samples, this.options)
    const measures = await this.parts.analyst.measure(samples, chunk.start / sampleRate, transcript.words)
    this.#heard.push({ chunk, channel, model, transcript, speech, measures })
    this.#headway.hear(audio)
    this.#report()
  }

  #report(): void {
    const { seconds } = this.#headway
    if (seconds <= this.#reportedSeconds) return
    this.#reportedSeconds = seconds
    this.options.onProgress?.(seconds, this.#ofSeconds)
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
