import { z } from 'zod'

import type { RecordingPart, SourceOptions } from '../../actors/run/state.ts'
import { metadata, metadataAbout, metadataShown } from './metadata.ts'
import { headersAbout, requestHeaders } from './request-headers.ts'

/** The wire of one recording that a submission names. */

const filenameMaxCharacters = 1024
/** As it is written into a record; signed URLs of the large stores stay below 2,000. */
const urlMaxBytes = 4096
/** A hundred of them, with the longest names, are one record of the broker. */
const sourceMaxBytes = 4200
const keyMaxCharacters = 1024
/** No recording that can be uploaded is as long. */
const partMaxSeconds = 1_000_000
/** In less, nothing can be heard. */
const partMinSeconds = 0.1

const secondsIn = z.number().min(0).max(partMaxSeconds)

export const addressText = z
  .string()
  .refine((url) => writtenBytes(url) <= urlMaxBytes, `is longer than the limit of ${urlMaxBytes} bytes`)

export const sourceExample = {
  url: 'https://recordings.example/call.mp3',
  headers: { Authorization: 'Bearer TOKEN' },
  start: 60,
  end: 120,
  metadata: { call: 1 },
}

export const source = z
  .strictObject({
    gcs_key: z.string().max(keyMaxCharacters).optional().describe('The storage key of a file of yours.'),
    url: addressText.optional().describe('Where the audio is fetched from.'),
    headers: requestHeaders
      .optional()
      .describe(
        `Sent with the request for \`url\`, and to no other scheme, host or port that it leads to. ${headersAbout}`,
      ),
    filename: z
      .string()
      .max(filenameMaxCharacters)
      .optional()
      .describe('What it is called in the results; otherwise as it was uploaded, or the last part of the URL.'),
    start: secondsIn.optional().describe('Only what comes after this: seconds from the beginning of the recording.'),
    end: secondsIn
      .optional()
      .describe('Only what comes before this. Times in the transcript are those of the whole recording.'),
    metadata: metadata
      .optional()
      .describe(`${metadataAbout}. It comes back with the status and the result of this file.`),
  })
  .refine(({ gcs_key: key, url }) => (key === undefined) !== (url === undefined), 'expected one of gcs_key and url')
  .refine(
    ({ start = 0, end = Infinity }) => end - start >= partMinSeconds,
    `end is at least ${partMinSeconds} seconds after start`,
  )
  .refine(({ url, headers }) => url !== undefined || !headers, 'headers are sent for a url, and this has none')
  .refine(
    ({ url, headers, metadata: own }) =>
      writtenBytes(url) + writtenBytes(headers) + writtenBytes(own) <= sourceMaxBytes,
    `url, headers and metadata together are longer than the limit of ${sourceMaxBytes} bytes`,
  )
  .meta({ id: 'BatchSource', examples: [sourceExample] })

export type SourceInput = z.output<typeof source>

/** What comes back of it with the status and the result of its file. */
export const sourceShown = {
  metadata: metadataShown.optional().describe('As it was submitted with this file.'),
  start: z.number().optional().describe('Where the part begins that is transcribed; absent when all of it is.'),
  end: z.number().optional().describe('Where that part ends; absent when it goes to the end.'),
}

type SourceBody = z.output<z.ZodObject<typeof sourceShown>>

export function presentSource({ metadata: given, part }: SourceOptions): SourceBody {
  return { ...(given && { metadata: given }), ...part }
}

/** Nothing when all of the recording is meant. To the millisecond. */
export function wantedPart({ start = 0, end }: Pick<SourceInput, 'start' | 'end'>): RecordingPart | undefined {
  if (start === 0 && end === undefined) return undefined
  return { start: inMilliseconds(start), ...(end !== undefined && { end: inMilliseconds(end) }) }
}

function inMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** In a record. */
function writtenBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}
