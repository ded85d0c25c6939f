import { createInbox } from 'nats'
import type { Msg, NatsConnection } from 'nats'

import { brokerAway } from '../connection/classify.ts'
import { askStreamApi, snapshotChunkBytes } from './stream-api.ts'
import type { StreamFacts } from './stream-api.ts'

/** The broker checks what it has stored before it answers, and reads all of it. */
const beginWithinMs = 120_000
/** Between two pieces; the broker itself gives up sooner when nobody acknowledges. */
const silenceMaxMs = 30_000
const endOfSnapshot = 204

/**
 * Takes a stream with its consumers as the broker packs them. Each piece is acknowledged when `write` has resolved, so that no more is
 * under way than the broker's window. Rejects when it is not whole.
 */
export async function takeSnapshot(
  connection: NatsConnection,
  stream: string,
  write: (piece: Uint8Array, facts: StreamFacts) => Promise<void>,
): Promise<StreamFacts> {
  const inbox = createInbox()
  const pieces = connection.subscribe(inbox)
  let silence: NodeJS.Timeout | undefined
  const listenOn = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => pieces.unsubscribe(), silenceMaxMs)
  }
  try {
    const body = JSON.stringify({ deliver_subject: inbox, chunk_size: snapshotChunkBytes, jsck: true })
    const subject = `$JS.API.STREAM.SNAPSHOT.${stream}`
    // as: the broker's own words, which go back to it as they are; it wants to be told nothing else
    const { config, state } = (await askStreamApi(connection, {
      subject,
      body,
      withinMs: beginWithinMs,
    })) as StreamFacts
    const facts = { config, state }
    listenOn()
    for await (const piece of pieces) {
      listenOn()
      if (piece.data.length === 0) return endOf(piece, facts)
      await write(piece.data, facts)
      // the last one is not asked for
      if (piece.reply) connection.publish(piece.reply)
    }
    throw brokerAway()
  } finally {
    clearTimeout(silence)
    pieces.unsubscribe()
  }
}

function endOf({ headers }: Msg, facts: StreamFacts): StreamFacts {
  // older brokers end it without a word
  if (headers === undefined || headers.code === endOfSnapshot) return facts
  throw new Error(`the broker ended the snapshot: ${headers.code} ${headers.description}`)
}
