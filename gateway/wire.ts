import { z } from 'zod'

import { isBatchId, isFileId, isResumableId, isUploadId, isVocabularyId } from '../actors/ids.ts'

/** What the wires of all routes share. */

const pageLimitDefault = 50
const pageLimitMax = 200
const pageMax = 1_000_000
const idCharacters = 36
const notAnId = 'is not an id: expected a UUID in lower case'

export const idText = z.string().meta({ format: 'uuid', description: 'A UUID, in lower case.' })
export const fileIdField = idText.refine(isFileId, notAnId)
export const uploadIdField = idText.refine(isUploadId, notAnId)
export const resumableIdField = idText.refine(isResumableId, notAnId)
export const batchIdField = idText.refine(isBatchId, notAnId)
export const vocabularyIdField = idText.refine(isVocabularyId, notAnId)

/** What is no id may be anything, and is not sent back whole. */
export function shortenId(id: string): string {
  return id.slice(0, idCharacters)
}

export const pageField = wholeNumberField(1, pageMax).default(1).describe('Which page, from 1.')

export function limitField(about: string) {
  return wholeNumberField(1, pageLimitMax).default(pageLimitDefault).describe(about)
}

/** In a query `true` and `false` are words; other programs write them `True`, `1` and so on. */
export function truth(about: string, fallback = false) {
  const message = 'expected true or false'
  return z
    .union(
      [
        z.boolean(),
        z
          .string()
          .regex(/^(?:true|false|1|0)$/i, message)
          .transform((text) => /^(?:true|1)$/i.test(text)),
      ],
      message,
    )
    .pipe(z.boolean())
    .default(fallback)
    .describe(about)
}

export const failure = z
  .strictObject({
    detail: z
      .union([z.string(), z.looseObject({ message: z.string() })])
      .describe('The reason, the limit, and what to do.'),
  })
  .meta({ id: 'Failure' })

/** What most routes may answer. */
export const badToken = { description: 'The token is missing or invalid.', schema: failure }
export const badQuery = { description: 'A query parameter is wrong.', schema: failure }
export const badId = { description: 'The id is not an id.', schema: failure }
/** Of a route that takes JSON. */
export const badBody = {
  408: { description: 'The body arrived too slowly.', schema: failure },
  413: { description: 'The body is larger than the limit.', schema: failure },
  415: { description: 'The body is not JSON.', schema: failure },
}
export const dependencyAway = { description: 'A dependency is away; see Retry-After.', schema: failure }

/** Of a route that takes nothing, and says so to whoever sends something. */
export const takesNothing = {
  params: z.strictObject({}),
  query: z.strictObject({}),
}
export const nothingTaken = { description: 'This address takes no parameters.', schema: failure }

/** A number in a query is text: digits only, so that `1e3`, ` 1` and `0x1` are not numbers here. */
export function wholeNumberField(min: number, max: number) {
  const message = `expected a whole number from ${min} to ${max}`
  return z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,9}$/, message)
          .transform(Number),
      ],
      message,
    )
    .pipe(z.int(message).min(min, message).max(max, message))
}
