import { z } from 'zod'

import { notFound } from './problem.ts'
import type { Answer, Route } from './route.ts'

/** Under what is no id, or one in capitals, there is nothing: in the words that the route has for what is missing. */
export function absentAt({ path, responses, explain }: Pick<Route, 'path' | 'responses' | 'explain'>): Answer {
  const [, name = 'address'] = /\{(?:(?:batch|resumable)_(?=upload))?(\w+?)(?:_id)?\}/.exec(path) ?? []
  const answer = notFound(name)
  const { detail } = answer.body
  if (explain) return { ...answer, body: explain({ ...answer, body: { detail }, headers: {} }) }
  const documented = responses[answer.status]?.schema
  if (documented instanceof z.ZodObject && 'error' in documented.shape) return answer
  return { ...answer, body: { detail } }
}
