import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import { isFileId } from '../../actors/ids.ts'
import type { Owner } from '../../actors/ids.ts'
import type { Judge } from '../../actors/transcript/ports.ts'
import { eitherScriptRule, normalisationRule } from '../../actors/transcript/state.ts'
import { findFile } from '../batches/find-file.ts'
import type { FindPorts } from '../batches/find-file.ts'
import { fileResultOf } from '../batches/present.ts'
import type { Presenting } from '../batches/present.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badBody, badToken, failure, idText, takesNothing } from '../wire.ts'

export interface EvaluatePorts extends FindPorts, Presenting {
  readonly judge: Judge
}

/** About an hour of speech; what is compared grows with the product of both. */
const charactersMax = 50_000
/** Of one process: each takes a thread for seconds at most, and waits for those before it. */
const comparisons: PlaceShares = { perUser: 2, all: 8 }

const text = z
  .string()
  .max(charactersMax, `has more than ${charactersMax} characters, which is the limit; compare parts`)
const request = z
  .strictObject({
    reference: text.describe('What was said.'),
    file_id: idText.optional().describe('A file whose newest transcript is compared with it.'),
    hypothesis: text.optional().describe('A text that is compared with it instead.'),
  })
  .refine(
    ({ file_id: fileId, hypothesis }) => (fileId === undefined) !== (hypothesis === undefined),
    'expected one of file_id and hypothesis',
  )
  .meta({
    id: 'EvaluationRequest',
    examples: [{ reference: 'नमस्ते, आप कैसे हैं?', file_id: '01900000-0000-7000-8000-000000000000' }],
  })

const rate = z.number().describe('Edits a word or character that was said: 0 is perfect, and it may exceed 1.')
const quality = z
  .strictObject({
    words: z.int().describe('In the reference.'),
    characters: z.int(),
    word_error_rate: rate,
    character_error_rate: rate,
    either_script: z
      .strictObject({ word_error_rate: rate, character_error_rate: rate })
      .describe(`The same in either script. ${eitherScriptRule}`),
  })
  .describe(`${normalisationRule} Tags are left out.`)
  .meta({ id: 'Quality' })

export function evaluateRoute(ports: EvaluatePorts): Route {
  const places = openPlaces(comparisons, { what: 'comparisons', advice: 'try again shortly' })
  return route({
    method: 'post',
    path: '/transcribe/evaluate',
    id: 'evaluate',
    summary: 'Measure how well a recording was heard',
    description: `Word and character error rates of a transcript against what was said, and a variant that does not punish a choice of script. Each text has at most ${charactersMax} characters.`,
    access: 'user',
    ...takesNothing,
    body: { contentType: 'application/json', description: 'What was said, and what was heard.', schema: request },
    responses: {
      200: { description: 'The rates.', schema: quality },
      400: { description: 'The body is wrong.', schema: failure },
      401: badToken,
      404: { description: 'There is no such file of yours.', schema: failure },
      ...badBody,
      409: { description: 'The file has no transcript yet.', schema: failure },
      503: {
        description: 'Too many texts are being compared, or a dependency is away; see Retry-After.',
        schema: failure,
      },
    },
    async handle({ principal, body, raw }) {
      const { reference: said, file_id: fileId, hypothesis } = body
      const heard = hypothesis ?? (fileId === undefined ? '' : await textOf(ports, principal.owner, fileId))
      const leave = places.take(principal.owner)
      const gone = new AbortController()
      raw.response.once('close', () => gone.abort(terminal('invalid_request', 'The client went away.')))
      try {
        const asked = { owner: principal.owner, signal: gone.signal }
        return { status: 200, body: await ports.judge.judge({ said, heard }, asked) }
      } finally {
        leave()
      }
    },
  })
}

async function textOf(ports: EvaluatePorts, owner: Owner, fileId: string): Promise<string> {
  const file = isFileId(fileId) ? await findFile(ports, owner, fileId) : undefined
  // how well it was heard, not how well it was edited
  const wanted = { chunks: false, speech_information: false, tags: false, original: true }
  const body = file && (await fileResultOf(ports, file, wanted))
  if (!body) throw terminal('not_found', 'file not found')
  if (!body.result) throw terminal('conflict', `There is no transcript of this file: it is ${body.status}.`)
  if (body.result.text.length > charactersMax) throw tooLong(body.result.text.length)
  return body.result.text
}

function tooLong(characters: number): FailureError {
  return terminal(
    'too_large',
    `The transcript has ${characters} characters, and the limit is ${charactersMax}. Compare parts of it as \`hypothesis\`.`,
  )
}
