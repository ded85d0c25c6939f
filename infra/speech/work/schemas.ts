import { z } from 'zod'

import type { StoredChunk } from '../../../actors/transcript/state.ts'
import { emissionsSchema } from '../align/emissions.ts'
import type { ChunkMeasures } from '../analysis/measure.ts'
import { transcriptSchema } from '../asr/transcript-schema.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { unheardReasons } from '../transcript/unheard.ts'
import type { Chunk } from '../vad/plan.ts'
import type { Span } from '../vad/segments.ts'
import type { SpeechPlan } from './speech-plan.ts'

/** Decoders of what workers store for each other. */

const seconds = { start: z.number(), end: z.number() }
const samples = { start: z.int(), end: z.int() }

export const spanSchema: z.ZodType<Span> = z.object(samples)

export const transcribedChunkSchema: z.ZodType<Chunk> = z.object({ ...samples, ownStart: z.int(), ownEnd: z.int() })

export const planSchema: z.ZodType<SpeechPlan> = z.object({
  seconds: z.number(),
  startSeconds: z.number().optional(),
  channels: z.int().min(1),
  warnings: z.array(z.string()),
  audio: z.object({ sha256: z.string(), size_bytes: z.number() }).optional(),
  waveform: z.object({ seconds_per_point: z.number(), levels: z.array(z.int()) }).optional(),
  sameAs: z.object({ file_id: z.string(), batch_id: z.string() }).optional(),
  takenOver: z.string().optional(),
  chunks: z.array(
    z.object({ ...seconds, channel: z.int(), samples: transcribedChunkSchema, speech: z.array(spanSchema).readonly() }),
  ),
})

const measuresSchema: z.ZodType<ChunkMeasures> = z.object({
  segments: z.array(
    z.object({
      ...seconds,
      summary: z.object({
        loudnessDb: z.number(),
        pitchHz: z.number().nullable(),
        pitchRangeSemitones: z.number(),
        tiltDb: z.number(),
        voicedShare: z.number(),
        syllablesPerSecond: z.number(),
      }),
      voice: z.object({ count: z.number(), sums: z.array(z.number()), products: z.array(z.number()) }),
      windows: z.array(z.object({ ...seconds, loudnessDb: z.number(), pitchHz: z.number(), tiltDb: z.number() })),
    }),
  ),
  laughing: z.array(z.object({ ...seconds, type: z.enum(['pause', 'shouting', 'laughing']), confidence: z.number() })),
})

const heardSchema: z.ZodType<TranscribedChunk> = z.object({
  chunk: transcribedChunkSchema,
  channel: z.int(),
  model: z.string(),
  transcript: transcriptSchema,
  speech: z.array(spanSchema),
  // chunks that an older version stored do not say
  unheard: z.array(z.object({ ...seconds, reason: z.enum(unheardReasons) })).default([]),
  measures: measuresSchema,
  models: z
    .array(z.object({ id: z.string(), files: z.array(z.object({ path: z.string(), sha256: z.string() })) }))
    .optional(),
  emissions: z.array(emissionsSchema).optional(),
})

export const storedChunkSchema: z.ZodType<StoredChunk & { readonly heard: TranscribedChunk }> = z.object({
  ...seconds,
  text: z.string(),
  language: z.string(),
  confidence: z.number(),
  model: z.string(),
  attempts: z.int(),
  startedAtMs: z.number(),
  tookMs: z.number(),
  earlier: z.object({ startedAtMs: z.number(), attempts: z.int(), isChanged: z.boolean() }).optional(),
  heard: heardSchema,
})
