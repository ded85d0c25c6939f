import { z } from 'zod'

import { ownModel } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'
import { profiles } from '../../actors/run/state.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, badQuery, takesNothing } from '../wire.ts'
import { compatibleFailure, explainCompatibly } from './problem.ts'

const kinds = ['transcription', 'speech', 'realtime'] as const

const model = z
  .strictObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.int().describe('When it came to be is not known: always 0.'),
    owned_by: z.literal('vaak'),
    kind: z.enum(kinds).describe('What it is for. Only here, not at OpenAI.'),
  })
  .meta({ id: 'Model' })
type Model = z.input<typeof model>

const modelList = z.strictObject({ object: z.literal('list'), data: z.array(model) }).meta({ id: 'Models' })

const modelNameMax = 128
const modelPath = z.strictObject({
  model_id: z.string().min(1).max(modelNameMax).describe('An id from `GET /v1/models`.'),
})

/** Clients look for the names that they know before they ask; any other name is answered as well, with what the server is set to. */
const known: readonly (readonly [id: string, kind: Model['kind']])[] = [
  ...profiles.map((profile) => [profile, 'transcription'] as const),
  ['whisper-1', 'transcription'],
  ['tts-1', 'speech'],
  [ownModel, 'realtime'],
]
const models: readonly Model[] = known.map(([id, kind]) => ({
  id,
  object: 'model',
  created: 0,
  owned_by: 'vaak',
  kind,
}))

/** As OpenAI's endpoints of these names. */
export function modelRoutes(): Route[] {
  return [listModels(), readModel()]
}

function listModels(): Route {
  return route({
    method: 'get',
    path: '/v1/models',
    id: 'listModels',
    summary: 'List the models',
    description: 'The names that `model` may have, and what each is for, as OpenAI’s clients list them.',
    access: 'user',
    ...takesNothing,
    responses: { 200: { description: 'The models.', schema: modelList }, 400: badQuery, 401: badToken },
    async handle() {
      return { status: 200, body: { object: 'list', data: [...models] } }
    },
  })
}

function readModel(): Route {
  return {
    ...route({
      method: 'get',
      path: '/v1/models/{model_id}',
      id: 'readModel',
      summary: 'Read a model',
      description: 'One of those that are listed.',
      access: 'user',
      params: modelPath,
      query: z.strictObject({}),
      responses: {
        200: { description: 'The model.', schema: model },
        400: { description: 'A query parameter is wrong.', schema: compatibleFailure },
        401: { description: 'The token is missing or invalid.', schema: compatibleFailure },
        404: { description: 'There is no such model.', schema: compatibleFailure },
      },
      async handle({ params }) {
        const found = models.find(({ id }) => id === params.model_id)
        if (!found) throw terminal('not_found', 'There is no such model; GET /v1/models lists them.')
        return { status: 200, body: found }
      },
    }),
    explain: explainCompatibly,
  }
}
