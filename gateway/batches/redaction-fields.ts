import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import { redactionKinds } from '../../actors/transcript/state.ts'

/** The wire of what is not to be read. */

export const redactField = z
  .array(z.enum(redactionKinds))
  .min(1, 'name at least one kind, or leave it out')
  .max(redactionKinds.length, `there are ${redactionKinds.length} kinds`)
  .optional()
  .describe(
    'What is taken out of the words wherever they are shown; a mark such as `[phone]` is left. No words are shown before the whole file is transcribed.',
  )

export const redactionFields = {
  redact: redactField,
  keep_unredacted: z
    .boolean()
    .optional()
    .describe('Keeps what was taken out as well, for you alone; otherwise nobody can ever read it.'),
  redact_audio: z
    .boolean()
    .optional()
    .describe(
      'Makes a copy of each recording in which a tone stands for what was taken out, and gives out that one; for uploaded recordings.',
    ),
}

/** As it is told what was asked for. */
export const redactionOptions = {
  redact: z.array(z.string()).optional(),
  keep_unredacted: z.boolean().optional(),
  redact_audio: z.boolean().optional(),
}

type RedactionSettings = Pick<TranscribeSettings, 'redact' | 'keepUnredacted' | 'redactAudio'>
type RedactionRequest = z.output<z.ZodObject<typeof redactionFields>>

interface RedactedSources {
  readonly sources?: readonly { readonly url?: string | undefined }[] | undefined
}

export function redactionOf(request: RedactionRequest & RedactedSources): RedactionSettings {
  const { redact, keep_unredacted: isKept, redact_audio: isBleeped, sources = [] } = request
  if (!redact && isKept)
    throw terminal('invalid_request', 'body.keep_unredacted: nothing is taken out without `redact`.')
  if (!redact && isBleeped)
    throw terminal('invalid_request', 'body.redact_audio: nothing is taken out without `redact`.')
  if (isBleeped && sources.some(({ url }) => url !== undefined))
    throw terminal('invalid_request', 'body.redact_audio: what a URL names is not kept here. Upload it first.')
  return {
    ...(redact && { redact: redactionKinds.filter((kind) => redact.includes(kind)) }),
    ...(isKept && { keepUnredacted: isKept }),
    ...(isBleeped && { redactAudio: isBleeped }),
  }
}

export function presentRedaction({ redact, keepUnredacted, redactAudio }: RedactionSettings) {
  return {
    ...(redact && { redact: [...redact] }),
    ...(keepUnredacted && { keep_unredacted: true }),
    ...(redactAudio && { redact_audio: true }),
  }
}
