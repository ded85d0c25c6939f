import { DeliverPolicy } from '@nats-io/jetstream'

import type { Owner } from '../../../actors/ids.ts'
import type { RecordsClient } from '../records/client.ts'
import { auditStream, auditSubject, auditSubjects } from '../topology/queue-names.ts'
import { readAuditText } from './form.ts'
import type { StoredAuditEvent } from './form.ts'

const readAtOnce = 500
const readWithinMs = 2_000

interface AuditFilter {
  readonly owner?: Owner | undefined
  readonly since?: Date | undefined
}

/** What is there now, the oldest first. */
export async function* auditEvents(
  { js }: Pick<RecordsClient, 'js'>,
  { owner, since }: AuditFilter,
): AsyncGenerator<StoredAuditEvent & { readonly at: Date }> {
  const reader = await js.consumers.get(auditStream.name, {
    filter_subjects: [owner === undefined ? auditSubjects : auditSubject(owner)],
    ...(since && { deliver_policy: DeliverPolicy.StartTime, opt_start_time: since.toISOString() }),
  })
  try {
    let left = (await reader.info()).num_pending
    while (left > 0) {
      const fetched = await reader.fetch({ max_messages: Math.min(left, readAtOnce), expires: readWithinMs })
      const before = left
      for await (const message of fetched) {
        left = message.info.pending
        const event = readAuditText(message.json())
        if (event) yield { at: message.time, ...event }
      }
      // what is missing was too old meanwhile
      if (left === before) return
    }
  } finally {
    // what cannot be removed now is forgotten soon
    await reader.delete().catch(() => undefined)
  }
}
