import type { FileResult, Script } from '../../actors/transcript/state.ts'
import { assemble } from './assemble.ts'
import type { HeardChunk } from './assemble.ts'
import type { HearOptions } from './asr/router.ts'
import { AtOnce } from './at-once.ts'
import { sampleRate } from './audio/mel.ts'
import { cutFile } from './cut.ts'
import type { CutParts } from './cut.ts'
import { hearChunk } from './hear.ts'
import type { HearParts } from './hear.ts'

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

export interface EngineParts extends CutParts, HearParts {
  /** Chunks in the hands of recognisers at once: enough to keep them busy, few enough to bound memory. */
  readonly chunksInFlight: number
}

export function createEngine(parts: EngineParts): SpeechEngine {
  return {
    async transcribe(path, options) {
      const { signal, script, channels, speechInformation } = options
      const cutting = await cutFile(parts, path, { channels, ...(signal && { signal }) })
      const hearing = new AtOnce(parts.chunksInFlight)
      const chunks: HeardChunk[] = []
      let heardSeconds = 0
      for await (const audio of cutting) {
        signal?.throwIfAborted()
        await hearing.begin(async () => {
          chunks.push(await hearChunk(parts, audio, options))
          heardSeconds = Math.max(heardSeconds, audio.chunk.end / sampleRate)
          options.onProgress?.(heardSeconds, cutting.declaredSeconds)
        })
      }
      await hearing.finish()
      return assemble({
        chunks,
        durationSeconds: cutting.seconds,
        script,
        channels: cutting.channels,
        speechInformation,
        warnings: cutting.warnings,
      })
    },
    async close() {
      await Promise.all([parts.decoder.close(), parts.router.close(), parts.analyst.close(), parts.vad.close()])
    },
  }
}
