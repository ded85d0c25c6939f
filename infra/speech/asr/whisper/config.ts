import { z } from 'zod'

import type { TokenMarks } from './tokenizer.ts'

/** What the export says about itself. Nothing here is assumed of a size: larger exports load by the same files. */
export interface WhisperConfig {
  readonly melBins: 80 | 128
  readonly layers: number
  readonly heads: number
  readonly headWidth: number
  readonly encoderFrames: number
  readonly maxTokens: number
  readonly suppress: readonly number[]
  readonly suppressFirst: readonly number[]
  /** [layer, head] pairs whose attention follows the speech; empty when the export does not say. */
  readonly alignmentHeads: readonly (readonly [number, number])[]
  readonly marks: Marks
}

export interface Marks {
  readonly start: number
  readonly end: number
  readonly transcribe: number
  readonly noTimes: number
  readonly noSpeech: number | undefined
  readonly previous: number | undefined
  readonly firstTime: number
  /** Language code to token id; empty for an English-only export. */
  readonly languages: ReadonlyMap<string, number>
}

export const secondsPerTimeMark = 0.02

const ids = z.array(z.int().nonnegative())
const configSchema = z.object({
  model_type: z.literal('whisper'),
  num_mel_bins: z.union([z.literal(80), z.literal(128)]),
  decoder_layers: z.int().positive(),
  decoder_attention_heads: z.int().positive(),
  d_model: z.int().positive(),
  max_source_positions: z.int().positive(),
  max_target_positions: z.int().positive(),
  suppress_tokens: ids.nullish(),
  begin_suppress_tokens: ids.nullish(),
})
const generationSchema = z.object({
  alignment_heads: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])).nullish(),
  suppress_tokens: ids.nullish(),
  begin_suppress_tokens: ids.nullish(),
  is_multilingual: z.boolean().nullish(),
})

export function readWhisperConfig(
  json: { config: unknown; generation: unknown },
  tokenizer: TokenMarks,
): WhisperConfig {
  const config = parse(configSchema, json.config, 'config.json')
  const generation = parse(generationSchema, json.generation, 'generation_config.json')
  return {
    melBins: config.num_mel_bins,
    layers: config.decoder_layers,
    heads: config.decoder_attention_heads,
    headWidth: config.d_model / config.decoder_attention_heads,
    encoderFrames: config.max_source_positions,
    maxTokens: config.max_target_positions,
    suppress: generation.suppress_tokens ?? config.suppress_tokens ?? [],
    suppressFirst: generation.begin_suppress_tokens ?? config.begin_suppress_tokens ?? [],
    alignmentHeads: generation.alignment_heads ?? [],
    marks: readMarks(tokenizer, generation.is_multilingual ?? true),
  }
}

/** The operator may have put another model there: told in a line. */
function parse<Schema extends z.ZodType>(schema: Schema, json: unknown, name: string): z.output<Schema> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RangeError(`${name}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

function readMarks(tokenizer: TokenMarks, multilingual: boolean): Marks {
  const need = (content: string): number => {
    const id = tokenizer.markId(content)
    if (id === undefined) throw new RangeError(`the tokenizer has no ${content}: this is no Whisper tokenizer`)
    return id
  }
  const noTimes = need('<|notimestamps|>')
  const languages = new Map<string, number>()
  for (const [content, id] of tokenizer.marks) {
    const code = /^<\|([a-z]{2,3})\|>$/.exec(content)?.[1]
    if (code && multilingual) languages.set(code, id)
  }
  return {
    start: need('<|startoftranscript|>'),
    end: need('<|endoftext|>'),
    transcribe: need('<|transcribe|>'),
    noTimes,
    noSpeech: tokenizer.markId('<|nospeech|>') ?? tokenizer.markId('<|nocaptions|>'),
    previous: tokenizer.markId('<|startofprev|>'),
    firstTime: noTimes + 1,
    languages,
  }
}
