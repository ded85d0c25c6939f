import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { Pronunciations } from '../../actors/pronunciation/ports.ts'
import { pronunciationLimits, spellingOf } from '../../actors/pronunciation/state.ts'
import type { Pronunciation } from '../../actors/pronunciation/state.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badBody, badToken, dependencyAway, failure, nothingTaken, takesNothing } from '../wire.ts'

const { entries, wordCharacters, spokenCharacters } = pronunciationLimits
const path = '/pronunciations'
/** As JSON may escape each character, with the names of the fields, and room for spaces. */
const entryBytes = (wordCharacters + spokenCharacters) * 6 + 128
const bodyMaxBytes = entries * entryBytes + 1_024

const pronunciation = z.strictObject({
  word: z
    .string()
    .max(wordCharacters, `expected at most ${wordCharacters} characters`)
    .regex(
      /^[\p{L}\p{N}](?:[^\s\p{C}]*[\p{L}\p{M}\p{N}])?$/u,
      'is not one word: expected no spaces, and letters or digits at both ends',
    )
    .describe(
      'As it is written, in any script: one word, without what surrounds it. Capitals do not matter, but in a word of capitals alone: `US` is not `us`.',
    ),
  spoken: z
    .string()
    .refine(
      (text) => text.normalize('NFKC').length <= spokenCharacters,
      `expected at most ${spokenCharacters} characters`,
    )
    .regex(
      /^[^\p{C}\p{L}\p{N}]*[\p{L}\p{N}][^\p{C}]*$/u,
      'has no letters or digits to read, or has characters that cannot be printed',
    )
    .describe(
      `What is read in its place, in any script, in at most ${spokenCharacters} characters; it may be several words.`,
    ),
})
const list = z
  .strictObject({
    pronunciations: z
      .array(pronunciation)
      .max(entries, `expected at most ${entries}`)
      .describe(`At most ${entries}, each word once.`),
  })
  .meta({
    id: 'Pronunciations',
    examples: [
      {
        pronunciations: [
          { word: 'Vaak', spoken: 'वाक्' },
          { word: 'SQL', spoken: 'sequel' },
        ],
      },
    ],
  })

/** How words are spoken to their user, by all voices and in all ways of speaking. */
export function pronunciationRoutes(pronunciations: Pronunciations): Route[] {
  return [
    route({
      method: 'get',
      path,
      id: 'listPronunciations',
      summary: 'List your pronunciations',
      description:
        'The words that are spoken to you otherwise than they are written, in the order in which you gave them.',
      access: 'user',
      ...takesNothing,
      responses: {
        200: { description: 'Yours alone.', schema: list },
        400: nothingTaken,
        401: badToken,
        503: dependencyAway,
      },
      async handle({ principal }) {
        return { status: 200, body: { pronunciations: await pronunciations.listOf(principal.owner) } }
      },
    }),
    route({
      method: 'put',
      path,
      id: 'putPronunciations',
      summary: 'Say how words are spoken',
      description:
        'Puts this list in place of the one before; an empty list leaves nothing of it. It holds from the next answer on, in `POST /v1/audio/speech`, in streams of speech and in realtime sessions.',
      access: 'user',
      ...takesNothing,
      body: { contentType: 'application/json', schema: list, description: 'All of them.', maxBytes: bodyMaxBytes },
      responses: {
        200: { description: 'As they are kept.', schema: list },
        400: { description: 'An entry is wrong, or a word is there twice: the detail says which.', schema: failure },
        401: badToken,
        ...badBody,
        503: dependencyAway,
      },
      async handle({ principal, body }) {
        refuseTwice(body.pronunciations)
        await pronunciations.replaceAll(principal.owner, body.pronunciations)
        return { status: 200, body }
      },
    }),
  ]
}

function refuseTwice(given: readonly Pronunciation[]): void {
  const seen = new Map<string, number>()
  for (const [at, { word }] of given.entries()) {
    const spelling = spellingOf(word)
    const before = seen.get(spelling)
    if (before !== undefined)
      throw terminal(
        'invalid_request',
        `body.pronunciations.${at}.word: is the word of entry ${before}; each is there once.`,
      )
    seen.set(spelling, at)
  }
}
