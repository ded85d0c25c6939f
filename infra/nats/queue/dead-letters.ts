import type { JetStreamManager } from '@nats-io/jetstream'
import { z } from 'zod'

import { FailureError } from '../../../actors/failure.ts'
import { deadLetterStream, deadLetterSubject } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { publish } from './publish.ts'
import type { PublishClient } from './publish.ts'

/** A message that can never be handled, and why. It is kept for whoever runs the service. */
export interface DeadLetter {
  readonly id: number
  readonly atMs: number
  readonly stream: string
  readonly subject: string
  /** As it came. */
  readonly text: string
  readonly reason: string
  readonly deliveries: number
}

const reasonMaxCharacters = 1_000
const readAtOnce = 100
const readWithinMs = 2_000

const letterSchema = z.object({
  stream: z.string(),
  subject: z.string(),
  text: z.string(),
  reason: z.string(),
  deliveries: z.number(),
})

/** Stored when it resolves; the same message is stored once, as long as the broker remembers. */
export async function bury(client: PublishClient, delivery: Delivery, error: unknown): Promise<void> {
  const { stream, subject, text, deliveries, sequence } = delivery
  const reason = reasonOf(error).slice(0, reasonMaxCharacters)
  await publish(client, {
    stream: deadLetterStream.name,
    subject: deadLetterSubject(stream),
    text: JSON.stringify({ stream, subject, text, reason, deliveries }),
    id: `dead:${stream}:${sequence}`,
  })
}

interface DeadLetterClient extends PublishClient {
  readonly jsm: JetStreamManager
}

/** The oldest first. */
export async function* deadLetters(client: DeadLetterClient): AsyncGenerator<DeadLetter> {
  let left = await countDeadLetters(client)
  const reader = await client.js.consumers.get(deadLetterStream.name)
  try {
    while (left > 0) {
      const fetched = await reader.fetch({ max_messages: Math.min(left, readAtOnce), expires: readWithinMs })
      const before = left
      for await (const message of fetched) {
        left = message.info.pending
        const letter = letterSchema.safeParse(message.json()).data
        if (letter) yield { id: message.seq, atMs: message.time.getTime(), ...letter }
      }
      // what is missing was dropped meanwhile
      if (left === before) return
    }
  } finally {
    // what cannot be removed now is forgotten soon
    await reader.delete().catch(() => undefined)
  }
}

/** To where it came from, and then it is a dead letter no more. */
export async function retryDeadLetter(client: DeadLetterClient, letter: DeadLetter): Promise<void> {
  const { id, stream, subject, text } = letter
  await publish(client, { stream, subject, text, id: `again:${deadLetterStream.name}:${id}` })
  await dropDeadLetter(client, id)
}

export async function dropDeadLetter({ jsm }: DeadLetterClient, id: number): Promise<void> {
  await jsm.streams.deleteMessage(deadLetterStream.name, id)
}

export async function countDeadLetters({ jsm }: DeadLetterClient): Promise<number> {
  return (await jsm.streams.info(deadLetterStream.name)).state.messages
}

function reasonOf(error: unknown): string {
  if (error instanceof FailureError) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
