import { auditStream, auditSubject, auditSubjects, deadLetterStream, settledStream } from './queue-names.ts'
import { inquiryStream, storedSubject, webhookStream, workStreams } from './queue-names.ts'
import { buckets } from './topology.ts'
import type { BucketName, Topology } from './topology.ts'

/** Users of the broker, each of whom may do what its process does and nothing else (decision 26). */
export const brokerRoles = ['gateway', 'worker', 'realtime'] as const
export type BrokerRole = (typeof brokerRoles)[number]

/** Who may do everything: it makes and changes streams. `vaak up` is it for a moment, and so are commands. */
export const operatorUser = 'operator'

interface Permissions {
  readonly publish: { readonly allow: readonly string[]; readonly deny: readonly string[] }
  readonly subscribe: { readonly allow: readonly string[] }
}

const queues = [...Object.values(workStreams), webhookStream, inquiryStream]
const workedOn = [...queues, settledStream]

const bucketsOf: Readonly<Record<BrokerRole, readonly BucketName[]>> = {
  gateway: Object.values(buckets).filter((bucket) => bucket !== buckets.sessions),
  worker: [
    buckets.files,
    buckets.batches,
    buckets.members,
    buckets.runs,
    buckets.open,
    buckets.waiting,
    buckets.quotas,
    buckets.usage,
    buckets.workers,
    buckets.webhooks,
    buckets.owedCalls,
    buckets.openInquiries,
    buckets.expiries,
    buckets.purges,
    buckets.survivals,
    buckets.turns,
    buckets.batchListing,
    buckets.stores,
    buckets.health,
  ],
  realtime: [
    buckets.credentials,
    buckets.health,
    buckets.sessions,
    buckets.sessionDays,
    buckets.pronunciations,
    buckets.stores,
  ],
}

const otherStreamsOf: Readonly<Record<BrokerRole, readonly { readonly name: string }[]>> = {
  gateway: [...workedOn, deadLetterStream, auditStream],
  worker: [...workedOn, deadLetterStream],
  realtime: [auditStream],
}

/** What of all there is a role looks at. */
export function topologyOf(role: BrokerRole, { streams, consumers, retired }: Topology): Topology {
  const names = new Set(seenBy(role))
  return {
    streams: streams.filter(({ name }) => names.has(name)),
    consumers: consumers.filter(({ stream }) => names.has(stream)),
    retired: retired.filter(({ stream }) => names.has(stream)),
  }
}

/** Where answers to a role come. With one place for all, each could read and forge what others are told. */
export function inboxPrefixOf(role: BrokerRole): string {
  return `_INBOX_${role}`
}

export function permissionsOf(role: BrokerRole): Permissions {
  const reads = [
    ...seenBy(role).map((stream) => `$JS.API.STREAM.INFO.${stream}`),
    ...streamsOf(role).map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`),
  ]
  return {
    publish: {
      allow: ['$JS.API.INFO', ...reads, ...publishes[role]()],
      deny: [auditSubject(operatorUser)],
    },
    subscribe: { allow: [`${inboxPrefixOf(role)}.>`, ...subscriptions[role]] },
  }
}

const publishes: Readonly<Record<BrokerRole, () => string[]>> = {
  gateway: () => [
    ...bucketsOf.gateway.flatMap((bucket) => [...writesTo(bucket), ...lists(bucket)]),
    ...bucketsOf.gateway.map((bucket) => `$JS.API.DIRECT.GET.KV_${bucket}`),
    ...workedOn.flatMap(({ name, subject }) => [`${subject}.>`, `$JS.API.CONSUMER.INFO.${name}.*`]),
    auditSubjects,
  ],
  // no direct gets: the broker would send any bytes that a worker has stored to any subject that it names as the reply
  worker: () => [
    ...bucketsOf.worker.flatMap(writesTo),
    ...[buckets.open, buckets.owedCalls, buckets.openInquiries, buckets.turns].flatMap(lists),
    ...workedOn.flatMap(({ name, subject }) => [
      `${subject}.>`,
      // it makes one again that somebody deleted
      `$JS.API.CONSUMER.CREATE.${name}.*.${subject}.>`,
      `$JS.API.CONSUMER.INFO.${name}.*`,
      `$JS.API.CONSUMER.MSG.NEXT.${name}.*`,
      `$JS.API.CONSUMER.UNPIN.${name}.*`,
      `$JS.API.STREAM.PURGE.${name}`,
    ]),
    `${deadLetterStream.subject}.>`,
    storedSubject('>'),
    '$JS.ACK.>',
  ],
  // knows keys, and notes when they are used
  realtime: () => [
    `$KV.${buckets.credentials}.used.*`,
    `$JS.API.DIRECT.GET.KV_${buckets.credentials}`,
    ...writesTo(buckets.health),
    ...writesTo(buckets.sessions),
    ...writesTo(buckets.sessionDays),
    auditSubjects,
  ],
}

const subscriptions: Readonly<Record<BrokerRole, readonly string[]>> = {
  gateway: [`$KV.${buckets.batches}.>`, `$KV.${buckets.runs}.>`],
  worker: [storedSubject('>')],
  realtime: [],
}

/** A gateway sees to it that all streams are there, also where nobody talks; what is said in conversations it does not read. */
function seenBy(role: BrokerRole): string[] {
  return role === 'gateway' ? [...streamsOf(role), `KV_${buckets.sessions}`] : streamsOf(role)
}

function streamsOf(role: BrokerRole): string[] {
  return [...bucketsOf[role].map((bucket) => `KV_${bucket}`), ...otherStreamsOf[role].map(({ name }) => name)]
}

function writesTo(bucket: BucketName): string[] {
  return [`$KV.${bucket}.>`, `$JS.API.STREAM.PURGE.KV_${bucket}`]
}

/** By a consumer of its own, which goes again. */
function lists(bucket: BucketName): string[] {
  const stream = `KV_${bucket}`
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.*.$KV.${bucket}.>`,
    ...['INFO', 'MSG.NEXT', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
  ]
}
