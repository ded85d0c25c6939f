import type { RecordingPart, TranscribeSettings } from '../../../actors/run/state.ts'
import type { FileResult, NumeralChoice, RedactionKind, Script, WordStyle } from '../../../actors/transcript/state.ts'
import type { RecogniseOptions } from '../asr/task.ts'
import { rewrite } from '../formats/rewrite.ts'
import { redact } from '../redaction/redact.ts'
import { AtOnce } from '../threads/at-once.ts'
import { Slots } from '../threads/slots.ts'
import { channelTranscript } from '../transcript/assemble.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { spellChunk } from '../vocabulary/spell.ts'
import type { WordSpellings } from '../vocabulary/spell.ts'
import { cutFile } from './cut.ts'
import type { CutParts } from './cut.ts'
import { Headway } from './headway.ts'
import { transcribeChunk } from './transcribe-chunk.ts'
import type { ChunkModels } from './transcribe-chunk.ts'

/** From any audio file to text with times. Several files may be on their way at once. */
export interface SpeechEngine {
  transcribe(path: string, options: TranscribeOptions): Promise<FileResult>
  close(): Promise<void>
}

export interface TranscribeOptions extends RecogniseOptions {
  readonly script: Script
  /** Without it, numbers as they were spoken. */
  readonly numerals?: NumeralChoice
  readonly style?: WordStyle
  readonly channels: TranscribeSettings['channels']
  /** Absent: all of the recording. */
  readonly part?: RecordingPart
  /** Adds speaker, tone, accent and prosody to each segment. */
  readonly speechInformation: boolean
  /** How many people speak, where somebody knows. */
  readonly speakers?: number
  /** How what is recognised is to be written. */
  readonly spellings?: WordSpellings
  /** What is taken out of the words. */
  readonly redact?: readonly RedactionKind[]
  /** Seconds that are done with, silence included, and of how many: null while neither header nor last block told. */
  onProgress?(doneSeconds: number, ofSeconds: number | null): void
}

interface EngineParts extends CutParts, ChunkModels {
  /** Chunks in the hands of recognisers at once, of all files: enough to keep them busy, few enough to bound memory. */
  readonly chunksInFlight: number
  /** Begins to open what hearing will need, while the file is still being decoded. */
  prepare?(options: RecogniseOptions): void
}

export function createEngine(parts: EngineParts): SpeechEngine {
  const slots = new Slots(parts.chunksInFlight)
  return {
    async transcribe(path, options) {
      parts.prepare?.(options)
      const { signal, script, channels, part, speechInformation, speakers } = options
      const headway = new Headway((doneSeconds) => options.onProgress?.(doneSeconds, cutting.lastsSeconds))
      const cutting = await cutFile(parts, path, {
        channels,
        ...(part && { part }),
        ...(signal && { signal }),
        onDecided: (samples, found) => headway.decide(samples, found),
      })
      const hearing = new AtOnce(slots)
      const chunks: TranscribedChunk[] = []
      for await (const audio of cutting)
        await hearing.begin(async () => {
          const heard = await transcribeChunk(parts, audio, options)
          chunks.push(options.spellings ? spellChunk(heard, options.spellings) : heard)
          headway.hear(audio)
        }, signal)
      await hearing.finish()
      const transcript = channelTranscript({
        chunks,
        durationSeconds: cutting.startSeconds + cutting.seconds,
        script,
        channels: cutting.channels,
        speechInformation,
        ...(speakers !== undefined && { speakers }),
        warnings: cutting.warnings,
      })
      return rewrite(redact(transcript, options.redact ?? []), {
        tags: true,
        numerals: options.numerals,
        style: options.style,
      })
    },
    async close() {
      const { decoder, router, punctuator, analyst, vad } = parts
      await Promise.all([decoder, router, punctuator, analyst, vad].map((part) => part.close()))
    },
  }
}
