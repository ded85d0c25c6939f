import type { Owner } from '../ids.ts'
import type { SecretHeaders } from '../secret-headers.ts'

/** Calls addresses that users gave, signed with the user's key. */
export interface WebhookCaller {
  /** Resolves when the other side took it. A refusal is terminal with a sentence, an outage is retryable. */
  call(input: {
    url: string
    owner: Owner
    /** The same whenever the same is told again. */
    id: string
    body: string
    /** Of the user’s own, beside what every call has. */
    headers?: SecretHeaders
    signal: AbortSignal
  }): Promise<{ status: number }>
}
