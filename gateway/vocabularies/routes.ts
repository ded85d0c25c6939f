import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { Vocabularies, VocabularyContent } from '../../actors/vocabulary/ports.ts'
import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import type { StoredVocabulary, VocabularyEntry } from '../../actors/vocabulary/state.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badBody, badQuery, badToken, dependencyAway, failure, nothingTaken, takesNothing } from '../wire.ts'
import {
  deletedVocabulary,
  newVocabulary,
  vocabularyChange,
  vocabularyList,
  vocabularyPath,
  vocabularyQuery,
  vocabularyShown,
  vocabularyStanding,
} from './schemas.ts'

export interface VocabularyRoutePorts {
  readonly vocabularies: Vocabularies
}

/** Each has thousands of words in memory. */
const shares: PlaceShares = { perUser: 4, all: 16 }
const bodyMaxBytes = 2 * 1024 * 1024

const path = '/vocabularies'
const pathOfOne = `${path}/{vocabulary_id}`
const noSuch = { description: 'You have no vocabulary with this id.', schema: failure }
const problems = { 401: badToken, 503: dependencyAway }
const body = { contentType: 'application/json', maxBytes: bodyMaxBytes } as const

/** The words of a user: names, terms, and how they are spelt. */
export function vocabularyRoutes({ vocabularies }: VocabularyRoutePorts): Route[] {
  const places = openPlaces(shares, { what: 'requests for vocabularies', advice: 'try again shortly' })
  return [createRoute, listRoute, readRoute, changeRoute, deleteRoute].map((make) => {
    const made = make(vocabularies)
    return {
      ...made,
      async handle(request) {
        const leave = places.take(request.principal.owner)
        try {
          return await made.handle(request)
        } finally {
          leave()
        }
      },
    }
  })
}

function createRoute(vocabularies: Vocabularies): Route {
  return route({
    ...takesNothing,
    method: 'post',
    path,
    id: 'createVocabulary',
    summary: 'Keep a vocabulary',
    description:
      'Names and terms that your recordings have, up to 5,000, in Devanagari or Latin letters. What is submitted with `vocabulary` listens for them, each as strongly as its weight says, and writes what is heard as one of its `spoken` forms as you spell it; the word that was recognised stays beside it as `heard`.',
    access: 'user',
    body: { ...body, schema: newVocabulary, description: 'Its name and its words.' },
    responses: {
      201: { description: 'Its id, and its first version.', schema: vocabularyStanding },
      400: { description: 'A field is wrong, or it is too much.', schema: failure },
      409: { description: 'You have as many vocabularies as you may have.', schema: failure },
      ...badBody,
      ...problems,
    },
    async handle({ principal: { owner }, body: content }) {
      const made = await vocabularies.create(owner, { ...content, entries: withEntries([], content.entries) })
      return { status: 201, body: present(made) }
    },
  })
}

function listRoute(vocabularies: Vocabularies): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path,
    id: 'listVocabularies',
    summary: 'List your vocabularies',
    description: 'The newest version of each, without its words, the oldest vocabulary first.',
    access: 'user',
    responses: { 200: { description: 'All of yours.', schema: vocabularyList }, 400: nothingTaken, ...problems },
    async handle({ principal: { owner } }) {
      return { status: 200, body: { vocabularies: (await vocabularies.list(owner)).map(present) } }
    },
  })
}

function readRoute(vocabularies: Vocabularies): Route {
  return route({
    method: 'get',
    path: pathOfOne,
    id: 'readVocabulary',
    summary: 'Read a vocabulary',
    description: 'With its words, as they are now or were in an older version.',
    access: 'user',
    params: vocabularyPath,
    query: vocabularyQuery,
    responses: {
      200: { description: 'The version that was asked for.', schema: vocabularyShown },
      400: badQuery,
      404: { ...noSuch, description: 'You have no vocabulary with this id, or this version of it is not kept.' },
      ...problems,
    },
    async handle({ principal: { owner }, params: { vocabulary_id: id }, query: { version } }) {
      const found = await vocabularies.read({ owner, id }, version)
      if (!found) throw noVocabulary()
      return { status: 200, body: { ...present(found), entries: found.entries } }
    },
  })
}

function changeRoute(vocabularies: Vocabularies): Route {
  return route({
    method: 'patch',
    path: pathOfOne,
    id: 'changeVocabulary',
    summary: 'Change a vocabulary',
    description:
      'Replaces its words, or adds and removes some: the next version. Whoever changes it says which version they read; when there is a newer one nothing is done. What was submitted before keeps the words that it was submitted with.',
    access: 'user',
    params: vocabularyPath,
    query: z.strictObject({}),
    body: { ...body, schema: vocabularyChange, description: 'What is to be changed.' },
    responses: {
      200: { description: 'The next version.', schema: vocabularyStanding },
      400: { description: 'A field is wrong, or it would be too much.', schema: failure },
      404: noSuch,
      409: { description: 'It was changed meanwhile.', schema: failure },
      ...badBody,
      ...problems,
    },
    async handle({ principal: { owner }, params: { vocabulary_id: id }, body: wanted }) {
      const next = await vocabularies.change({ owner, id }, wanted.version, (before) => changed(before, wanted))
      if (!next) throw noVocabulary()
      return { status: 200, body: present(next) }
    },
  })
}

function deleteRoute(vocabularies: Vocabularies): Route {
  return route({
    method: 'delete',
    path: pathOfOne,
    id: 'deleteVocabulary',
    summary: 'Delete a vocabulary',
    description:
      'All versions of it. What was submitted with it keeps the words that it was submitted with, until it is deleted itself.',
    access: 'user',
    params: vocabularyPath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'It is deleted.', schema: deletedVocabulary },
      400: badQuery,
      404: noSuch,
      ...problems,
    },
    async handle({ principal: { owner }, params: { vocabulary_id: id } }) {
      if (!(await vocabularies.remove({ owner, id }))) throw noVocabulary()
      return { status: 200, body: { vocabulary_id: id } }
    },
  })
}

function changed(before: StoredVocabulary, wanted: z.output<typeof vocabularyChange>): VocabularyContent {
  const removed = new Set(wanted.remove)
  const kept = wanted.entries ? withEntries([], wanted.entries) : before.entries
  const entries = withEntries(
    kept.filter(({ text }) => !removed.has(text)),
    wanted.add ?? [],
  )
  return { name: wanted.name ?? before.name, entries }
}

type GivenEntry = z.output<typeof newVocabulary>['entries'][number]

/** What is written alike is one entry, with all its forms: as many as it may have, the newest. */
function withEntries(before: readonly VocabularyEntry[], given: readonly GivenEntry[]): VocabularyEntry[] {
  const words = new Map(before.map((entry) => [entry.text, entry]))
  for (const entry of given.map(entryOf)) {
    const known = words.get(entry.text)
    const spoken = [...new Set([...(known?.spoken ?? []), ...(entry.spoken ?? [])])].slice(-vocabularyLimits.spoken)
    words.set(entry.text, { ...known, ...entry, ...(spoken.length > 0 && { spoken }) })
  }
  return [...words.values()]
}

function entryOf({ text, weight, spoken }: GivenEntry): VocabularyEntry {
  return { text, ...(weight !== undefined && { weight }), ...(spoken && spoken.length > 0 && { spoken }) }
}

function present({ id, name, version, atMs, entries, sha256 }: StoredVocabulary) {
  return {
    vocabulary_id: id,
    name,
    version,
    updated_at: new Date(atMs).toISOString(),
    entry_count: entries.length,
    sha256,
  }
}

function noVocabulary(): FailureError {
  return terminal('not_found', 'You have no vocabulary with this id, or not this version of it.')
}
