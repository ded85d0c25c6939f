import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'

import { nanosPerMs } from '../connection/nanos.ts'
import { auditStream, auditSubjects, deadLetterStream } from './queue-names.ts'
import { duplicateWindowMs } from './stream-plan.ts'
import type { StreamPlan } from './stream-plan.ts'

const msPerDay = 86_400_000
/** A message, its reason, and what quoting adds. */
const maxDeadLetterBytes = 256 * 1024
/** All of them together are a gibibyte at most. */
const maxDeadLetters = 4_096
const deadLetterTtlMs = 90 * msPerDay
const auditDaysUsual = 90
const maxAuditBytes = 4 * 1024
/** Of one user; the oldest go then. */
const maxAuditEvents = 100_000

interface PeopleSettings {
  readonly replicas: number
  /** How long it is kept who did what. */
  readonly auditDays?: number
}

type PeoplePlan = Pick<StreamPlan, 'name' | 'description' | 'subjects' | 'max_msgs' | 'max_age' | 'max_msg_size'> &
  Pick<StreamPlan, 'max_msgs_per_subject' | 'deny_delete'> &
  Partial<Pick<StreamPlan, 'deny_purge'>>

/** What is no part of the work: people read it. */
export function streamsForPeople(settings: PeopleSettings): StreamPlan[] {
  return [deadLetters, audit(settings)].map((plan) => forPeople(plan, settings))
}

/** The oldest go when they are too old, or too many. */
function forPeople(plan: PeoplePlan, { replicas }: PeopleSettings): StreamPlan {
  return {
    ...plan,
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    // bytes would be set apart on the disk of the broker, whether they are needed or not
    max_bytes: -1,
    discard: DiscardPolicy.Old,
    duplicate_window: duplicateWindowMs * nanosPerMs,
    allow_direct: false,
    allow_rollup_hdrs: false,
    allow_msg_ttl: false,
    allow_msg_schedules: false,
  }
}

const deadLetters = {
  name: deadLetterStream.name,
  description: 'Messages that can never be handled, and why.',
  subjects: [`${deadLetterStream.subject}.>`],
  max_msgs: maxDeadLetters,
  max_age: deadLetterTtlMs * nanosPerMs,
  max_msg_size: maxDeadLetterBytes,
  max_msgs_per_subject: -1,
  deny_delete: false,
}

/** What was written stays until it is too old: nobody takes a part of it out. */
function audit({ auditDays = auditDaysUsual }: PeopleSettings): PeoplePlan {
  return {
    name: auditStream.name,
    description: 'Who did what, to which object, from where, and how it ended.',
    subjects: [auditSubjects],
    max_msgs: -1,
    max_age: auditDays * msPerDay * nanosPerMs,
    max_msg_size: maxAuditBytes,
    max_msgs_per_subject: maxAuditEvents,
    deny_delete: true,
    deny_purge: true,
  }
}
