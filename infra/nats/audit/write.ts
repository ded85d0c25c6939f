import { randomUUID } from 'node:crypto'

import type { Audit } from '../../../actors/audit/ports.ts'
import { createBucket } from '../../../actors/bucket.ts'
import type { Clock, Log } from '../../../actors/ports.ts'
import { publish } from '../queue/publish.ts'
import type { PublishClient } from '../queue/publish.ts'
import { auditStream, auditSubject } from '../topology/queue-names.ts'
import { auditText } from './form.ts'

interface AuditParts {
  readonly client: PublishClient
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly log: Log
  /** Called when one could not be stored. */
  readonly lost?: () => void
}

/** Whom nobody knows can try as often as they like: so many are written down, and all are counted elsewhere. */
const strangersAtOnce = 100
const strangersPerSecond = 1

/**
 * What cannot be stored is in the log, whole, and counted: a request is not refused for it. Decision 25 says why.
 */
export function openAudit({ client, clock, log, lost }: AuditParts): Audit {
  const strangers = createBucket(strangersAtOnce, strangersPerSecond)
  return async (event) => {
    if (event.who === 'nobody' && !strangers.take(1, clock.elapsedMs())) return
    const text = auditText(event)
    try {
      await publish(client, {
        stream: auditStream.name,
        subject: auditSubject(event.who),
        text,
        id: randomUUID(),
      })
    } catch (error) {
      lost?.()
      const { from, ...facts } = event
      log.error('audit event not stored', { ...facts, 'pii.from': from, error })
    }
  }
}
