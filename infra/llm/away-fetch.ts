import { away, FailureError } from '../../actors/failure.ts'
import { haltingFetch } from '../timing/halting-fetch.ts'

/** It is there, and says that it has no time: who waits long enough is answered. */
const hasNoTime: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** For work that can wait: an endpoint that is not there costs it time and no attempt. */
export async function fetchUnlessAway(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await haltingFetch(input, init).catch((error: unknown) => {
    // fetch says no more than that of a network that is away
    if (error instanceof TypeError) throw away('chat_unavailable', 'The chat endpoint cannot be reached.', error)
    throw error
  })
  if (!hasNoTime.has(response.status)) return response
  await response.body?.cancel()
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || 0
  const detail = `The chat endpoint answered with status ${response.status}.`
  throw new FailureError({ kind: 'away', code: 'chat_unavailable', detail, retryAfterSeconds })
}
