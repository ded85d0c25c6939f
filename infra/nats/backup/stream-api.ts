import type { StreamConfig, StreamState } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'
import { z } from 'zod'

import { classify } from '../connection/classify.ts'

/** What the broker tells of a stream with its snapshot, and wants to be told again with it. */
export interface StreamFacts {
  readonly config: StreamConfig
  readonly state: StreamState
}

/** A piece of a snapshot: less than any broker refuses as a message. */
export const snapshotChunkBytes = 128 * 1024

const refusalSchema = z.object({ error: z.object({ description: z.string() }) })

/** One request of the JetStream API that the client does not offer. A refusal is an Error in the broker's words. */
export async function askStreamApi(
  connection: NatsConnection,
  request: { readonly subject: string; readonly body: string | Uint8Array; readonly withinMs: number },
): Promise<unknown> {
  const { subject, body, withinMs } = request
  const answer = await connection.request(subject, body, { timeout: withinMs }).catch((error: unknown) => {
    throw classify(error)
  })
  if (answer.data.length === 0) return undefined
  const said = answer.json<unknown>()
  const refusal = refusalSchema.safeParse(said).data
  if (refusal) throw new Error(`the broker says: ${refusal.error.description}`)
  return said
}
