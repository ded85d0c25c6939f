import { z } from 'zod'

import type { SessionLimits } from '../session/limits.ts'
import { metricsWanted } from '../session/settings/settings.ts'
import type { WireAudioFormat } from '../session/settings/settings.ts'
import { transcriptionField, turnDetectionField } from './input-fields.ts'
import { isJsonObject } from './json-object.ts'
import { oneOf } from './refusal.ts'
import { toolChoice, toolsField } from './tool-fields.ts'

/** Both shapes of the settings at once: a client may write either, or a mixture, on every connection. */
export function settingsFields(limits: SessionLimits) {
  const turnDetection = turnDetectionField()
  const transcription = transcriptionField(limits)
  return {
    ...answerFields(limits),
    type: z.enum(['realtime', 'transcription']).optional(),
    object: z.string().optional(),
    id: z.string().optional(),
    expires_at: z.number().optional(),
    model: z.string().optional(),
    input_audio_format: audioFormat.optional(),
    input_audio_transcription: transcription.nullish(),
    input_audio_noise_reduction: noiseReduction.nullish(),
    turn_detection: turnDetection.nullish(),
    speed: speed.optional(),
    client_secret: z.unknown().optional(),
    audio: z
      .strictObject({
        input: z
          .strictObject({
            format: audioFormat.optional(),
            transcription: transcription.nullish(),
            noise_reduction: noiseReduction.nullish(),
            turn_detection: turnDetection.nullish(),
          })
          .optional(),
        output: outputField.optional(),
      })
      .optional(),
    truncation: z
      .union(
        [
          z.enum(['auto', 'disabled']),
          z.object({ type: z.literal('retention_ratio'), retention_ratio: z.number().min(0).max(1) }),
        ],
        { error: `${oneOf(['auto', 'disabled'])} Or an object of type 'retention_ratio'.` },
      )
      .optional(),
    tracing: tracing.nullish(),
    include: z.array(z.enum(['item.input_audio_transcription.logprobs', metricsWanted])).nullish(),
    vaak: z
      .strictObject({
        keep: z.boolean().optional(),
        vocabulary: z.string().max(limits.idCharacters).nullish(),
        callback_url: z.string().max(limits.urlCharacters).nullish(),
        file_id: z.string().max(limits.idCharacters).optional(),
      })
      .optional(),
  }
}

/** What a response may set for itself as well as a session. */
export function answerFields(limits: SessionLimits) {
  return {
    modalities: modalities.optional(),
    output_modalities: modalities.optional(),
    instructions: z.string().max(limits.instructionCharacters).nullish(),
    voice: voice.optional(),
    output_audio_format: audioFormat.optional(),
    tools: toolsField(limits).nullish(),
    tool_choice: toolChoice.optional(),
    temperature: z.number().min(0).max(2).nullish(),
    max_output_tokens: tokensMax.nullish(),
    max_response_output_tokens: tokensMax.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    reasoning: z.strictObject({ effort: z.string().max(limits.idCharacters).optional() }).nullish(),
    prompt: z.null({ error: 'stored prompts are not kept here; send instructions instead' }).optional(),
  }
}

type Wire<Fields extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Fields>>
export type AnswerWire = Wire<ReturnType<typeof answerFields>>
export type SettingsWire = Wire<ReturnType<typeof settingsFields>>

/** True when a field is there that only the older shape has: then the newer shape's demands do not hold. */
export function isFlat(session: object): boolean {
  return flatOnly.some((name) => Object.hasOwn(session, name))
}

const flatOnly = [
  'modalities',
  'voice',
  'input_audio_format',
  'output_audio_format',
  'input_audio_transcription',
  'input_audio_noise_reduction',
  'turn_detection',
  'speed',
  'temperature',
  'max_response_output_tokens',
]

const modalities = z
  .array(z.enum(['text', 'audio']))
  .min(1)
  .transform((names) => (names.includes('audio') ? ('audio' as const) : ('text' as const)))

const formatNames: ReadonlyMap<string, WireAudioFormat> = new Map([
  ['pcm16', 'pcm16'],
  ['g711_ulaw', 'g711_ulaw'],
  ['g711_alaw', 'g711_alaw'],
  ['audio/pcm', 'pcm16'],
  ['audio/pcmu', 'g711_ulaw'],
  ['audio/pcma', 'g711_alaw'],
])

const audioFormat = z.unknown().transform((value, context): WireAudioFormat => {
  const { type, rate } = isJsonObject(value) ? value : { type: value, rate: undefined }
  const format = typeof type === 'string' ? formatNames.get(type) : undefined
  if (format && (rate === undefined || rate === null || rate === (format === 'pcm16' ? 24_000 : 8_000))) return format
  const complaint = format
    ? `the rate of ${format} is ${format === 'pcm16' ? 24_000 : 8_000}`
    : oneOf(formatNames.keys())
  context.addIssue({ code: 'custom', message: complaint })
  return z.NEVER
})

const voice = z
  .union([z.string(), z.object({ id: z.string() })], { error: 'a voice is a name or an object with an id' })
  .transform((named) => (typeof named === 'string' ? named : named.id))

const speed = z.number().min(0.25).max(1.5)
/** Within `audio`, in a session as in a response. */
export const outputField = z.strictObject({
  format: audioFormat.optional(),
  voice: voice.optional(),
  speed: speed.optional(),
})
const tokensMax = z.union([z.int().min(1).max(4096), z.literal('inf')], {
  error: `a whole number from 1 to 4096, or 'inf'`,
})
const noiseReduction = z.object({ type: z.enum(['near_field', 'far_field']) }).transform(({ type }) => type)
const tracing = z.union(
  [
    z.literal('auto'),
    z.strictObject({
      workflow_name: z.string().max(512).nullish(),
      group_id: z.string().max(512).nullish(),
      metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
    }),
  ],
  { error: `'auto', or an object with workflow_name, group_id and metadata` },
)
