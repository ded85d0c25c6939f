import { z } from 'zod'

import type { Editing } from '../../actors/edit/ports.ts'
import { editLimits } from '../../actors/edit/state.ts'
import { terminal } from '../../actors/failure.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, dependencyAway, failure, idText } from '../wire.ts'
import { hasTranscript } from './details.ts'
import { findFile } from './find-file.ts'
import type { FindPorts } from './find-file.ts'
import { presentEdits } from './present.ts'
import { editStanding, versionMax } from './result-schemas.ts'
import { filePath, notFoundBody } from './schemas.ts'

export interface EditPorts extends FindPorts {
  readonly editing: Editing
}

/** Each has a whole transcript in memory. */
const edits: PlaceShares = { perUser: 4, all: 16 }

const placeMax = 10_000_000
const segment = z.int().min(0).max(placeMax).describe('Its place in `segments`, from 0.')
const speaker = z.string().max(editLimits.name).describe('A `speaker_id`.')
const noteId = z.string().max(editLimits.name)

function textOf(limit: number) {
  return z.string().max(limit, `has more than ${limit} characters, which is the limit`)
}

const change = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('text'),
      segment,
      text: textOf(editLimits.text).describe('What was said in it. Words that stay keep their times.'),
    }),
    z.strictObject({
      type: z.literal('word'),
      segment,
      word: z.int().min(0).max(placeMax).describe('Its place in `words` of the segment, from 0.'),
      text: textOf(editLimits.text).describe('None, one or several words in its place.'),
    }),
    z.strictObject({ type: z.literal('name'), speaker, name: textOf(editLimits.name).describe('Empty: none.') }),
    z.strictObject({ type: z.literal('merge'), speaker, into: speaker }),
    z.strictObject({
      type: z.literal('note'),
      id: noteId.optional().describe('Of a note that is written anew; without it, it is another one.'),
      at: z.number().min(0).describe('Seconds from the start of the recording.'),
      text: textOf(editLimits.note).trim().min(1, 'a note says something'),
    }),
    z.strictObject({ type: z.literal('remove_note'), id: noteId }),
    z.strictObject({ type: z.literal('undo') }),
    z.strictObject({ type: z.literal('redo') }),
    z.strictObject({ type: z.literal('restore'), version: z.int().min(0).max(versionMax) }),
  ])
  .meta({ id: 'TranscriptChange' })

const editRequest = z
  .strictObject({
    version: z.int().min(0).max(versionMax).describe('The one that you read: `edits.version`, or 0 without edits.'),
    changes: z
      .array(change)
      .min(1, 'say what is to be changed')
      .max(editLimits.changes, `has more than ${editLimits.changes} changes, which is the limit`)
      .describe('All of them are made, or none. `undo`, `redo` and `restore` go alone.'),
  })
  .meta({
    id: 'EditRequest',
    examples: [
      {
        version: 0,
        changes: [
          { type: 'word', segment: 0, word: 1, text: 'दादा' },
          { type: 'name', speaker: 'speaker_1', name: 'Asha' },
          { type: 'note', at: 1.5, text: 'Ask her about this.' },
        ],
      },
    ],
  })

const edited = z.strictObject({ file_id: idText, edits: editStanding }).meta({
  id: 'EditedTranscript',
  examples: [
    {
      file_id: '01900000-0000-7000-8000-000000000000',
      edits: {
        version: 1,
        edited_at: '2026-11-17T09:30:00.000Z',
        undo_version: 0,
        oldest_version: 1,
        notes: [{ id: '1-2', at: 1.5, text: 'Ask her about this.' }],
      },
    },
  ],
})

export function editRoute(ports: EditPorts): Route {
  const places = openPlaces(edits, { what: 'edits', advice: 'try again shortly' })
  return route({
    method: 'patch',
    path: '/transcribe/results/file/{file_id}',
    id: 'editFileResult',
    summary: 'Edit the result of a file',
    description:
      'Corrects words, names and merges speakers, and keeps notes. Times stay, what was transcribed is kept, and each edit is a version that can be gone back to. Whoever edits says which version they read: when there is a newer one nothing is done, so that nobody overwrites what they have not seen.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    body: { contentType: 'application/json', schema: editRequest, description: 'What is to be changed.' },
    responses: {
      200: { description: 'The next version.', schema: edited },
      400: { description: 'A change is about something that there is not, or a field is wrong.', schema: failure },
      401: badToken,
      404: { description: 'No file of yours with this id was ever submitted.', schema: notFoundBody },
      408: { description: 'The body arrived too slowly.', schema: failure },
      409: {
        description: 'It was edited meanwhile, there is nothing to undo or redo, or there is no transcript yet.',
        schema: failure,
      },
      413: { description: 'All edits of this transcript together are too much.', schema: failure },
      415: { description: 'The body is not JSON.', schema: failure },
      503: dependencyAway,
    },
    async handle({ principal: { owner }, params, body }) {
      const leave = places.take(owner)
      try {
        const file = await findFile(ports, owner, params.file_id)
        if (!file) return notFound('file')
        if (!file.run || !hasTranscript(file))
          throw terminal('conflict', 'There is no transcript of this file that could be edited.')
        const standing = await ports.editing.change(file.run, body)
        if (!standing) return notFound('file')
        return { status: 200, body: { file_id: file.ref.fileId, edits: presentEdits(standing) } }
      } finally {
        leave()
      }
    },
  })
}
