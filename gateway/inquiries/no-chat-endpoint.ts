import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'

/** What whoever asks for something that a chat model writes is told where there is none. */
export function noChatEndpoint(): FailureError {
  return terminal(
    'conflict',
    'Nobody here can write about transcripts: no chat endpoint is configured. The operator sets LLM_BASE_URL and LLM_MODEL, for gateways and workers.',
  )
}
