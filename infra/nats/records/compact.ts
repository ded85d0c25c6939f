import { randomUUID } from 'node:crypto'

import { headers } from 'nats'

import { firstForm } from '../../../actors/form.ts'
import { recordMaxBytes } from '../topology/topology.ts'
import type { BucketName } from '../topology/topology.ts'
import type { RecordsClient } from './client.ts'

/** A block of a stream on disk has 4 MB, or 8 in other versions. */
const blockMaxBytes = 8 * 1024 * 1024
/** What a filler has besides. */
const otherBytes = 1024
/** When the process dies in between. */
const fillerTtl = '10m'

/**
 * The broker overwrites nothing: what was replaced or removed stays in its block until that is rewritten, which happens when less than half of
 * it is in use, and never to the block that is written to. So that one is filled up, with what replaces itself: when the next block begins,
 * the filler in the one before goes, and the broker rewrites it without all that is gone.
 */
export async function compactBucket(
  { js, jsm }: RecordsClient,
  { bucket, asked }: { bucket: BucketName; asked: <Result>(run: () => Promise<Result>) => Promise<Result> },
): Promise<void> {
  const subject = `$KV.${bucket}.${randomUUID()}`
  const fillerBytes = recordMaxBytes - otherBytes
  // whoever comes across it finds the mark of a removal, and a record without a value
  const removed = headers()
  removed.set('KV-Operation', 'DEL')
  removed.set('Nats-TTL', fillerTtl)
  const body = JSON.stringify({ op: '', v: firstForm, filler: '0'.repeat(fillerBytes) })
  try {
    for (let filled = 0; filled <= blockMaxBytes + fillerBytes; filled += fillerBytes)
      await asked(() => js.publish(subject, body, { headers: removed }))
  } finally {
    await asked(() => jsm.streams.purge(`KV_${bucket}`, { filter: subject }))
  }
}
