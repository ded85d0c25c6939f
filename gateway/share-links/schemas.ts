import { z } from 'zod'

import { shareLinkLimits } from '../../actors/share-link/state.ts'
import { paperFormats, textFormats } from '../../actors/transcript/state.ts'
import { fileResultQuery, transcript } from '../batches/result-schemas.ts'
import { waveform } from '../batches/waveform-schema.ts'
import { fileIdField } from '../wire.ts'

/** The wire of share links, and of what they show. */

const instant = z.string().meta({ format: 'date-time' })
const shownLink = {
  link_id: z.string().describe('The part of the link that is no secret.'),
  created_at: instant,
  expires_at: instant,
  audio: z.boolean().describe('Whether the recording may be heard besides.'),
}
const anExample = {
  link_id: '4f6c1d2e3b5a7980',
  created_at: '2026-11-17T09:30:00.000Z',
  expires_at: '2026-11-24T09:30:00.000Z',
  audio: true,
}

export const shareLinkRequest = z
  .strictObject({
    days: z
      .int()
      .min(1)
      .max(shareLinkLimits.days)
      .default(shareLinkLimits.usualDays)
      .describe('After how many days it stops working.'),
    audio: z.boolean().default(false).describe('Whether the recording may be heard besides.'),
  })
  .meta({ id: 'ShareLinkRequest', examples: [{ days: 7, audio: true }] })

export const newShareLink = z
  .strictObject({
    ...shownLink,
    link: z.string().describe('What opens it, shown here and never again: only a keyed hash of it is kept.'),
    path: z.string().describe('The page for people, on this server. What is behind `#` is sent to no server.'),
  })
  .meta({
    id: 'NewShareLink',
    examples: [{ ...anExample, link: `share_${'A'.repeat(96)}`, path: `/shared#share_${'A'.repeat(96)}` }],
  })

export const shareLinkList = z
  .strictObject({ links: z.array(z.strictObject(shownLink)) })
  .meta({ id: 'ShareLinks', examples: [{ links: [anExample] }] })

export const revokedShareLink = z
  .strictObject({ link_id: z.string() })
  .meta({ id: 'RevokedShareLink', examples: [{ link_id: anExample.link_id }] })

export const linkPath = z.strictObject({
  file_id: fileIdField,
  link_id: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'is not the id of a share link: expected 16 hexadecimal digits')
    .describe('As the list of its links has it.'),
})

/** Not as it was transcribed, nor as it once was: what was corrected may have been wrong, or nobody’s business. */
export const sharedQuery = fileResultQuery.omit({ original: true, version: true, chunks: true }).extend({
  format: z
    .enum(['json', ...textFormats, ...paperFormats])
    .default('json')
    .describe('In which form.'),
})

export const sharedTranscript = z
  .strictObject({
    filename: z.string(),
    expires_at: instant.describe('When the link stops working.'),
    audio: z.boolean().describe('Whether the recording may be heard, and is still kept.'),
    result: transcript,
    waveform,
  })
  .meta({
    id: 'SharedTranscript',
    examples: [
      {
        filename: 'call.wav',
        expires_at: anExample.expires_at,
        audio: true,
        result: {
          text: 'नमस्ते।',
          language: 'hi',
          languages: [{ code: 'hi', share: 1 }],
          duration_seconds: 1.2,
          segments: [],
          model: 'balanced',
          script: 'native',
          warnings: [],
        },
      },
    ],
  })
