import { z } from 'zod'

import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, idText, limitField, pageField, takesNothing } from '../wire.ts'
import { openIndexes } from './indexes.ts'
import type { IndexPorts } from './indexes.ts'
import { showPlaces } from './show-places.ts'
import type { ShowPorts } from './show-places.ts'

export type SearchPorts = IndexPorts & ShowPorts

export interface SearchLimits {
  /** Words that a gateway keeps ready, of all users who searched last. */
  readonly wordsMax: number
}

const queryMaxCharacters = 200
/** A search has the thread to itself for a moment, and the first one of a user reads for seconds. */
const searches: PlaceShares = { perUser: 4, all: 16 }

const searchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1, 'say what is looked for')
    .max(queryMaxCharacters, `has more than ${queryMaxCharacters} characters, which is the limit`)
    .describe(
      'Words that are all said in one passage, in any script and nearly any spelling; the last may be a beginning.',
    ),
  file_id: idText.optional().describe('Only in the transcript of this file of yours.'),
  page: pageField,
  limit: limitField('Passages a page.'),
})

const seconds = z.number().describe('Seconds from the start of the recording.')
const found = z
  .strictObject({ file_id: idText, filename: z.string(), start: seconds, end: seconds, snippet: z.string() })
  .meta({ id: 'FoundPassage' })
const searchPage = z
  .strictObject({
    query: z.string(),
    page: z.int(),
    limit: z.int(),
    total_pages: z.int(),
    total: z.int().describe('Passages, on all pages.'),
    results: z.array(found).describe('The best first.'),
    files_left_out: z
      .int()
      .optional()
      .describe('The oldest files, where all of them are more than SEARCH_MAX_WORDS. Absent when there are none.'),
  })
  .meta({ id: 'SearchPage' })

export function searchRoute(ports: SearchPorts, limits: SearchLimits): Route {
  const indexes = openIndexes(ports, limits.wordsMax)
  const places = openPlaces(searches, { what: 'searches', advice: 'try again shortly' })
  return route({
    ...takesNothing,
    method: 'get',
    path: '/search',
    id: 'search',
    summary: 'Find what was said',
    description:
      'In all your transcripts, whichever letters it is written in: `dada` finds दादा, and `ladka` लड़का. A file is found a moment after it was transcribed, by its newest transcript, and no longer when it was deleted.',
    access: 'user',
    query: searchQuery,
    responses: {
      200: { description: 'One page of places.', schema: searchPage },
      400: badQuery,
      401: badToken,
      503: dependencyAway,
    },
    async handle({ principal: { owner }, query: { q: query, file_id: fileId, page, limit } }) {
      const leave = places.take(owner)
      try {
        const { index, leftOut } = await indexes.of(owner)
        const all = index.search(query).filter(({ run }) => fileId === undefined || run.fileId === fileId)
        const shown = all.slice((page - 1) * limit, page * limit)
        const results = await showPlaces(ports, owner, shown)
        const total = all.length
        const totals = { total_pages: Math.ceil(total / limit), total }
        return {
          status: 200,
          body: { query, page, limit, ...totals, results, ...(leftOut > 0 && { files_left_out: leftOut }) },
        }
      } finally {
        leave()
      }
    },
  })
}
