import { z } from 'zod'

import type { TextFormat } from '../../actors/transcript/state.ts'
import { textTypes } from './texts.ts'

/** The same sentence as each text; a test renders it. */
const looks: Readonly<Record<TextFormat, string>> = {
  text: 'कल की meeting में मिलते हैं।\n',
  srt: '1\n00:00:00,000 --> 00:00:02,400\nकल की meeting में मिलते हैं।\n',
  vtt: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.400\nकल की meeting में मिलते हैं।\n',
}

function documented(format: TextFormat): readonly [string, z.ZodType] {
  return [textTypes[format], z.string().meta({ examples: [looks[format]] })]
}

/** Transcripts for people to read, by content type, as the OpenAPI document shows them. */
export const subtitleDocs: Readonly<Record<string, z.ZodType>> = Object.fromEntries([
  documented('srt'),
  documented('vtt'),
])
export const textDocs: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries([documented('text')]),
  ...subtitleDocs,
}

export const ndjsonType = 'application/x-ndjson'
/** One file a line. */
export const ndjsonDocs: Readonly<Record<string, z.ZodType>> = {
  [ndjsonType]: z.string().meta({
    examples: [
      `${JSON.stringify({ file_id: '01900000-0000-7000-8000-000000000000', filename: 'call.wav', status: 'queued' })}\n`,
    ],
  }),
}
