import { z } from 'zod'

import type { HeaderDoc, ResponseDoc } from '../route.ts'
import { badToken, dependencyAway, failure, resumableIdField } from '../wire.ts'

/** What the descriptions of these routes share. */

export const resumablePath = '/files/resumable'
export const oneResumablePath = `${resumablePath}/{resumable_upload_id}`

export const oneResumable = {
  params: z.strictObject({ resumable_upload_id: resumableIdField }),
  query: z.strictObject({}),
}

export const versionHeader: HeaderDoc = {
  name: 'Tus-Resumable',
  description: 'The version of the protocol; 1.0.0 unless told.',
  schema: z.literal('1.0.0'),
}

export const byteCount = z.string().regex(/^\d{1,15}$/)

/** What most of these routes may answer. */
export const usualRefusals: Readonly<Record<number, ResponseDoc>> = {
  400: { description: 'A header is missing or wrong.', schema: failure },
  401: badToken,
  404: { description: 'There is no such upload of yours, or its time is over.', schema: failure },
  412: { description: 'The client speaks another version of the protocol; see Tus-Version.', schema: failure },
  423: { description: 'Another request works on this upload; see Retry-After.', schema: failure },
  503: dependencyAway,
}

/** Of a body that is received. */
export const bodyRefusals: Readonly<Record<number, ResponseDoc>> = {
  408: { description: 'The client sent too slowly. What came is kept.', schema: failure },
  413: { description: 'More bytes than were announced, than a file may have, or in too many pieces.', schema: failure },
  429: { description: 'You ask for too much, or have too much; see Retry-After.', schema: failure },
}

export const noBody = { schema: z.string(), contentType: 'text/plain' }
