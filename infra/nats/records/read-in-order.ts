import type { OrderedRecord, Revision } from '../../../actors/ports.ts'
import type { BucketName } from '../topology/topology.ts'
import type { RecordsClient } from './client.ts'
import { valueIn } from './read-many.ts'
import type { Envelope } from './read-many.ts'

interface InOrder {
  readonly bucket: BucketName
  readonly after: Revision
  readonly most: number
  readonly asked: <Result>(run: () => Promise<Result>) => Promise<Result>
}

/** A bucket keeps one message a key, the last; so its stream is its records in the order in which they were written. */
export async function readInOrder<Value>(
  { jsm }: RecordsClient,
  { bucket, after, most, asked }: InOrder,
): Promise<OrderedRecord<Value>[]> {
  const prefix = `$KV.${bucket}.`
  const found: OrderedRecord<Value>[] = []
  for (let seq = after + 1; found.length < most;) {
    const query = { seq, next_by_subj: `${prefix}>` }
    const message = await asked(() => jsm.streams.getMessage(`KV_${bucket}`, query))
    if (!message) break
    seq = message.seq + 1
    found.push({
      key: message.subject.slice(prefix.length),
      // removal markers have no body
      value: message.data.length === 0 ? undefined : valueIn(message.json<Envelope<Value>>()),
      revision: message.seq,
      storedAtMs: message.time.getTime(),
    })
  }
  return found
}
