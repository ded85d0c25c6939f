import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import type { JetStreamClient, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import { headers } from 'nats'
import type { MsgHdrs } from 'nats'
import { z } from 'zod'

import { ask } from '../connection/ask.ts'

/**
 * The broker packs the messages of a stream first and what it knows of them last. A record that is written in between is in neither: its
 * message is not packed, and the one before it counts as replaced. So whatever was written since a snapshot began is read after it, and is
 * published again after the snapshot was put back.
 */

const laterSchema = z.object({
  seq: z.int().positive(),
  subject: z.string().min(1),
  headers: z.array(z.tuple([z.string(), z.string()])),
  data: z.base64(),
})
type LaterMessage = z.infer<typeof laterSchema>

const readAtOnce = 128
/** Each reads what was written during the one before; that they become short takes a few. */
const passesMax = 1_000

/**
 * One line for each message that is there and newer, in order. What is replaced before it is read is found in a later pass, since the one
 * in its place was written before that began. So all is known after a pass in which nothing was missing.
 */
export async function* linesAfter(manager: JetStreamManager, stream: string, lastSeq: number): AsyncGenerator<string> {
  let read = lastSeq
  for (let pass = 0; pass < passesMax; pass += 1) {
    const { state } = await ask(isAway, () => manager.streams.info(stream))
    let missing = 0
    while (read < state.last_seq) {
      const seqs = Array.from({ length: Math.min(readAtOnce, state.last_seq - read) }, (_, at) => read + 1 + at)
      const found = await Promise.all(seqs.map((seq) => ask(isAway, () => manager.streams.getMessage(stream, { seq }))))
      for (const message of found) if (message) yield lineOf(message)
      missing += found.filter((message) => !message).length
      read += seqs.length
    }
    if (missing === 0) return
  }
  throw new Error(`${stream} is written faster than it can be read`)
}

function lineOf({ seq, subject, header, data }: StoredMsg): string {
  const text = Buffer.from(data).toString('base64')
  const message: LaterMessage = { seq, subject, headers: entriesOf(header), data: text }
  return `${JSON.stringify(message)}\n`
}

/** Those that the snapshot has already are left out. */
export async function publishLater(
  { js, manager }: { readonly js: JetStreamClient; readonly manager: JetStreamManager },
  stream: string,
  path: string,
): Promise<void> {
  const { state } = await ask(isAway, () => manager.streams.info(stream))
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const message = laterSchema.parse(JSON.parse(line))
    if (message.seq <= state.last_seq) continue
    const options = { headers: headersOf(message) }
    await ask(isAway, () => js.publish(message.subject, Buffer.from(message.data, 'base64'), options))
  }
}

const isAway = (): boolean => false

/** What a writer asked for once: that its message is new, and the last one another. */
function isCondition(name: string): boolean {
  return /^nats-(?:msg-id$|expected-)/i.test(name)
}

function entriesOf(header: MsgHdrs | undefined): [string, string][] {
  return (header?.keys() ?? [])
    .filter((name) => !isCondition(name))
    .flatMap((name) => header!.values(name).map((value): [string, string] => [name, value]))
}

function headersOf(message: LaterMessage): MsgHdrs {
  const made = headers()
  for (const [name, value] of message.headers) made.append(name, value)
  return made
}
