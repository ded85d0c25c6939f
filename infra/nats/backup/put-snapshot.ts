import type { NatsConnection } from 'nats'
import { z } from 'zod'

import { askStreamApi } from './stream-api.ts'
import type { StreamFacts } from './stream-api.ts'

const answerWithinMs = 30_000
/** After the last piece the broker unpacks all of them, and on a cluster elects who leads. */
const endWithinMs = 300_000

const begunSchema = z.object({ deliver_subject: z.string().min(1) })

/**
 * Makes a stream with its consumers of a snapshot; there may be none of that name. The next piece is sent when the broker has taken the one
 * before.
 */
export async function putSnapshot(
  connection: NatsConnection,
  facts: StreamFacts,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const begun = await askStreamApi(connection, {
    subject: `$JS.API.STREAM.RESTORE.${facts.config.name}`,
    body: JSON.stringify(facts),
    withinMs: answerWithinMs,
  })
  const { deliver_subject: subject } = begunSchema.parse(begun)
  for await (const body of pieces) await askStreamApi(connection, { subject, body, withinMs: answerWithinMs })
  await askStreamApi(connection, { subject, body: '', withinMs: endWithinMs })
}
