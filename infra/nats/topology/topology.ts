import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'

import { nanosPerMs } from '../connection/nanos.ts'
import { lanePlans, levelPlans, shardPlans } from './consumers.ts'
import type { ConsumerPlan } from './consumers.ts'
import { inquiryStream, storedSubject, webhookStream, settledStream, workStreams } from './queue-names.ts'
import { duplicateWindowMs } from './stream-plan.ts'
import type { StreamPlan } from './stream-plan.ts'
import { streamsForPeople } from './streams-for-people.ts'

/**
 * Everything Vaak keeps in JetStream, as data. Streams and consumers are created once from this and compared with it on
 * every start (ensure.ts); nothing else creates, changes or deletes a stream.
 */
export interface Topology {
  readonly streams: readonly StreamPlan[]
  readonly consumers: readonly ConsumerPlan[]
  /** Of the version before: nobody needs them once they are empty. */
  readonly retired: readonly ConsumerPlan[]
}

export const buckets = {
  files: 'vaak_files',
  uploads: 'vaak_uploads',
  contents: 'vaak_contents',
  listing: 'vaak_listing',
  batchListing: 'vaak_batch_listing',
  claims: 'vaak_claims',
  purges: 'vaak_purges',
  leases: 'vaak_leases',
  inHand: 'vaak_in_hand',
  batches: 'vaak_batches',
  members: 'vaak_members',
  runs: 'vaak_runs',
  open: 'vaak_open',
  waiting: 'vaak_waiting',
  quotas: 'vaak_quotas',
  usage: 'vaak_usage',
  workers: 'vaak_workers',
  webhooks: 'vaak_notices',
  owedCalls: 'vaak_owed_calls',
  openInquiries: 'vaak_open_inquiries',
  expiries: 'vaak_expiries',
  survivals: 'vaak_survivals',
  turns: 'vaak_turns',
  credentials: 'vaak_credentials',
  stores: 'vaak_stores',
  health: 'vaak_health',
  sessions: 'vaak_sessions',
  sessionDays: 'vaak_session_days',
  pronunciations: 'vaak_pronunciations',
} as const

export type BucketName = (typeof buckets)[keyof typeof buckets]

export function isBucket(name: string): name is BucketName {
  return Object.values<string>(buckets).includes(name)
}

const msPerHour = 3_600_000
/** Three pulses may be missed. */
const workerPulseTtlMs = 45_000
const healthTtlMs = 60_000
/** Whoever was cut off comes back at once or not at all; who is there writes again before it ends. */
const sessionTtlMs = 600_000
/** Longer than work waits for storage that somebody mends; it is erased with its mark. */
const survivalTtlMs = 30 * 24 * msPerHour
/** The day that is counted is over everywhere. */
const usageTtlMs = 48 * msPerHour
/** As many days as anybody is shown, and one that is not over. */
const sessionDayTtlMs = 31 * 24 * msPerHour
const maxRecordBytes = 512 * 1024
/** What a write says besides its record. */
const recordHeaderBytes = 1024
/** A record that is larger is refused before it is sent: the broker would refuse it for ever. */
export const recordMaxBytes = maxRecordBytes - recordHeaderBytes
const maxMessageBytes = 64 * 1024

interface TopologySettings {
  readonly replicas: number
  readonly idempotencyHours: number
  readonly ackWaitMs: number
  /** How long it is kept who did what. */
  readonly auditDays?: number
}

export function topology(input: TopologySettings): Topology {
  const before = [...Object.values(workStreams), webhookStream]
  const queues = [...before, inquiryStream]
  return {
    streams: [...bucketStreams(input), ...queueStreams(input), ...streamsForPeople(input)],
    consumers: [...queues.flatMap((stream) => levelPlans(stream, input.ackWaitMs)), ...shardPlans(input.ackWaitMs)],
    retired: before.flatMap((stream) => lanePlans(stream, input.ackWaitMs)),
  }
}

function bucketPlan(input: TopologySettings) {
  return (name: BucketName, description: string, ttlMs = 0): StreamPlan => ({
    name: `KV_${name}`,
    description,
    subjects: [`$KV.${name}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: input.replicas,
    max_msgs: -1,
    max_bytes: -1,
    max_age: ttlMs * nanosPerMs,
    max_msg_size: maxRecordBytes,
    max_msgs_per_subject: 1,
    discard: DiscardPolicy.New,
    duplicate_window: Math.min(duplicateWindowMs, ttlMs || Infinity) * nanosPerMs,
    allow_direct: true,
    allow_rollup_hdrs: true,
    deny_delete: true,
    allow_msg_ttl: true,
    allow_msg_schedules: false,
  })
}

function bucketStreams(input: TopologySettings): StreamPlan[] {
  const bucket = bucketPlan(input)
  return [
    bucket(buckets.files, 'One record a file: facts, upload state.'),
    bucket(buckets.uploads, 'One record an upload request: which files came together.'),
    bucket(buckets.contents, 'Per user and hash, the object that has these bytes and the files that refer to it.'),
    bucket(buckets.listing, 'Per user, which files there are, newest last, with their states.'),
    bucket(buckets.batchListing, 'Per user, which batches there are, newest last, and how they ended.'),
    bucket(buckets.claims, 'Idempotency keys and the answers given for them.', input.idempotencyHours * msPerHour),
    bucket(buckets.purges, 'Deletions that are promised and not finished.'),
    bucket(buckets.leases, 'One record for each spool, written again and again by the gateway that works on it.'),
    bucket(buckets.inHand, 'One entry for each upload that a gateway has not done everything for.'),
    bucket(buckets.batches, 'One record a batch: which of its files are how far.'),
    bucket(buckets.members, 'The files of a batch, in pages.'),
    bucket(buckets.runs, 'One record for each file in each batch: its chunks and what became of them.'),
    bucket(buckets.open, 'One entry for each batch that is not finished.'),
    bucket(buckets.waiting, 'Which open batches have files that were made at which time.'),
    bucket(buckets.quotas, 'What the open batches of a user take of the quota.'),
    bucket(buckets.usage, 'What each user had transcribed on a day.', usageTtlMs),
    bucket(buckets.workers, 'What each living worker can do; entries vanish with it.', workerPulseTtlMs),
    bucket(buckets.webhooks, 'What became of the calls that batches owe to their users.'),
    bucket(buckets.owedCalls, 'One entry for each call to a user that has not settled.'),
    bucket(buckets.openInquiries, 'One entry for each inquiry about a transcript that has no outcome yet.'),
    bucket(buckets.expiries, 'What batches wished to end sooner than the rest.'),
    bucket(buckets.turns, 'Whose turn it is to sweep, and how far somebody came.'),
    bucket(
      buckets.survivals,
      'Which marks of work that came again were left by workers that outlived it.',
      survivalTtlMs,
    ),
    bucket(buckets.credentials, 'API keys, hashed, and the key that session secrets are signed with.'),
    bucket(buckets.stores, 'Which store was first seen at a place.'),
    bucket(buckets.health, 'What each process writes to see whether it can; entries vanish.', healthTtlMs),
    bucket(
      buckets.sessions,
      'Realtime sessions that may go on at another server, sealed; entries vanish.',
      sessionTtlMs,
    ),
    bucket(buckets.sessionDays, 'How many realtime sessions each user had on a day.', sessionDayTtlMs),
    bucket(buckets.pronunciations, 'One record a user: how words are spoken.'),
  ]
}

function queueStreams(input: TopologySettings): StreamPlan[] {
  const queue = (
    plan: Pick<StreamPlan, 'name' | 'description' | 'subjects' | 'republish'>,
    hasDelays: boolean,
  ): StreamPlan => ({
    ...plan,
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    num_replicas: input.replicas,
    // what was accepted is never refused nor dropped: admission and windows bound it
    max_msgs: -1,
    max_bytes: -1,
    max_age: 0,
    max_msg_size: maxMessageBytes,
    max_msgs_per_subject: -1,
    discard: DiscardPolicy.Old,
    duplicate_window: duplicateWindowMs * nanosPerMs,
    allow_direct: false,
    // a stream with delays has it, whether asked or not
    allow_rollup_hdrs: hasDelays,
    deny_delete: true,
    allow_msg_ttl: false,
    allow_msg_schedules: hasDelays,
  })
  const work = ({ name, subject }: { name: string; subject: string }, description: string): StreamPlan =>
    queue({ name, description, subjects: [`${subject}.>`], republish: callsOf(`${subject}.>`) }, true)
  return [
    work(workStreams.files, 'Files to be cut, or put together.'),
    work(workStreams.chunks, 'Chunks to be heard.'),
    work(workStreams.fileRetries, 'Files that are tried again, with SEPARATE_RETRY_QUEUES.'),
    work(workStreams.chunkRetries, 'Chunks that are tried again, with SEPARATE_RETRY_QUEUES.'),
    work(webhookStream, 'Calls to the addresses that users gave.'),
    work(inquiryStream, 'What a chat model is asked about transcripts.'),
    queue(
      {
        name: settledStream.name,
        description: 'What workers tell the records of files and batches.',
        subjects: [`${settledStream.subject}.*`],
      },
      false,
    ),
  ]
}

/** Whoever has room is called when work is stored, also when its time came: then nobody has to ask again and again. */
function callsOf(subjects: string): NonNullable<StreamPlan['republish']> {
  return { src: subjects, dest: storedSubject(subjects), headers_only: true }
}
