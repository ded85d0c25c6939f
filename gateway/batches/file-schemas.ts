import { z } from 'zod'

/** What the status and the result of a file both say. */

export const canRetry = z
  .boolean()
  .optional()
  .describe(
    '`true` when it failed or has gaps and another attempt may end otherwise: the recording itself is not the reason.',
  )

export const audioExpired = z
  .string()
  .optional()
  .describe('A sentence, when the recording is no longer kept and what was understood of it is.')

/** Beside what is known of a file. */
export const audioExpiredSentence =
  'The recording is no longer kept: it was removed after the time that is set for recordings.'
