import type { ModelRefusal } from './refusal.ts'

/** Which of the optional fields of a chat completion an endpoint takes; models differ, and say so when they are asked. */
export interface ChatDialect {
  readonly tokensField: 'max_tokens' | 'max_completion_tokens'
  readonly leavesOut: readonly OptionalField[]
}

const optionalFields = ['temperature', 'stream_options'] as const
type OptionalField = (typeof optionalFields)[number]

export const usualDialect: ChatDialect = { tokensField: 'max_tokens', leavesOut: [] }

/** What to ask with after this refusal; nothing when it is not about a field that could be left out or renamed. */
export function dialectAfter(dialect: ChatDialect, { status, reason }: ModelRefusal): ChatDialect | undefined {
  if (status !== 400 && status !== 422) return undefined
  if (dialect.tokensField === 'max_tokens' && reason.includes('max_completion_tokens'))
    return { ...dialect, tokensField: 'max_completion_tokens' }
  const field = optionalFields.find((name) => reason.includes(name) && !dialect.leavesOut.includes(name))
  return field && { ...dialect, leavesOut: [...dialect.leavesOut, field] }
}
