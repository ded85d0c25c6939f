import { z } from 'zod'

import type { SessionLimits } from '../session/limits.ts'
import { isJsonObject } from './json-object.ts'
import { present } from './present.ts'
import { oneOf } from './refusal.ts'

/** How what comes in is transcribed. */
export function transcriptionField({ promptCharacters, idCharacters, keywords }: SessionLimits) {
  const word = z.string().max(idCharacters)
  return z
    .strictObject({
      model: word.nullish(),
      language: word.nullish(),
      languages: z.array(word).max(keywords).nullish(),
      prompt: z.string().max(promptCharacters).nullish(),
      keywords: z.array(word).max(keywords).nullish(),
      delay: word.nullish(),
    })
    .transform(({ model, language, languages, prompt, keywords: terms, delay }) => ({
      ...present('model', model ?? undefined),
      ...present('language', language ?? undefined),
      ...present('languages', languages ?? undefined),
      ...present('prompt', prompt ?? undefined),
      ...present('keywords', terms ?? undefined),
      ...present('delay', delay ?? undefined),
    }))
}

/** How turns are told apart; without a type it is `server_vad`. */
export function turnDetectionField() {
  const both = { create_response: z.boolean().nullish(), interrupt_response: z.boolean().nullish() }
  const server = z
    .strictObject({
      type: z.literal('server_vad'),
      threshold: z.number().min(0).max(1).nullish(),
      prefix_padding_ms: z.int().min(0).max(5_000).nullish(),
      silence_duration_ms: z.int().min(0).max(10_000).nullish(),
      idle_timeout_ms: z.int().min(100).max(600_000).nullish(),
      ...both,
    })
    .transform((wire) => ({
      type: wire.type,
      ...present('threshold', wire.threshold ?? undefined),
      ...present('prefixPaddingMs', wire.prefix_padding_ms ?? undefined),
      ...present('silenceDurationMs', wire.silence_duration_ms ?? undefined),
      ...present('idleTimeoutMs', wire.idle_timeout_ms),
      ...present('createResponse', wire.create_response ?? undefined),
      ...present('interruptResponse', wire.interrupt_response ?? undefined),
    }))
  const semantic = z
    .strictObject({
      type: z.literal('semantic_vad'),
      eagerness: z.enum(['low', 'medium', 'high', 'auto']).nullish(),
      ...both,
    })
    .transform((wire) => ({
      type: wire.type,
      ...present('eagerness', wire.eagerness ?? undefined),
      ...present('createResponse', wire.create_response ?? undefined),
      ...present('interruptResponse', wire.interrupt_response ?? undefined),
    }))
  return z.preprocess(
    (value) => (isJsonObject(value) && value['type'] === undefined ? { ...value, type: 'server_vad' } : value),
    z.discriminatedUnion('type', [server, semantic], { error: oneOf(['server_vad', 'semantic_vad']) }),
  )
}
