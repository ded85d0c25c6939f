import { z } from 'zod'

import { failure } from '../wire.ts'
import type { Problem } from '../problem.ts'

/** Errors as OpenAI's clients show them, beside ours. */
export const compatibleFailure = failure
  .extend({
    error: z.strictObject({ message: z.string(), type: z.string(), param: z.null(), code: z.string().nullable() }),
  })
  .meta({ id: 'CompatibleFailure' })

export function explainCompatibly({
  status,
  body,
}: Pick<Problem, 'status' | 'body'>): z.input<typeof compatibleFailure> {
  const { detail } = body
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  const message = typeof detail === 'string' ? detail : detail.message
  return { ...body, error: { message, type, param: null, code: null } }
}
