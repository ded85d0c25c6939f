import type { Msg, NatsConnection } from 'nats'

/** What clients ask of a broker and what it says to them, by kind. */
export const brokerMessageKinds = [
  'record writes',
  'queue writes',
  'erasures',
  'acknowledgements',
  'refusals',
  'signs of life',
  'strong reads',
  'batched reads',
  'pulls',
  'stream infos',
  'consumers made',
  'other requests',
  'deliveries',
  'calls',
  'answers',
] as const

type BrokerMessageKind = (typeof brokerMessageKinds)[number]

/** Everything that passes through a broker, counted. It is a client like any other, so what it is sent itself is not seen. */
export interface BrokerTap {
  count(kind: BrokerMessageKind): number
  /** Of all kinds. */
  total(): number
  /** What waits for a disk. */
  durableWrites(): number
  /** Asked of the broker, by whomever: what is not an answer, a delivery or a call. */
  requests(): number
  /** Compare-and-sets on this bucket, and how many of them somebody else came before. */
  writesTo(bucket: string): { readonly writes: number; readonly conflicts: number }
  /** Of streams, one for each erasure. */
  readonly erased: readonly string[]
  reset(): void
  close(): void
}

/** Of a compare-and-set that somebody else came before. */
const conflictCodes = /"err_code":(?:10071|10164)\b/
const durable: readonly BrokerMessageKind[] = ['record writes', 'queue writes', 'erasures']
const sentByBroker: ReadonlySet<BrokerMessageKind> = new Set(['deliveries', 'calls', 'answers'])

/** Counts from when it resolves. */
export async function tapBroker(connection: NatsConnection): Promise<BrokerTap> {
  const counts = new Map<BrokerMessageKind, number>()
  const writes = new Map<string, number>()
  const conflicts = new Map<string, number>()
  const asked = new Map<string, string>()
  const erased: string[] = []

  const note = (message: Msg): void => {
    // said only because somebody listens, which is us
    if (message.subject.startsWith('$JS.EVENT.')) return
    const kind = kindOf(message)
    add(counts, kind)
    if (kind === 'erasures') erased.push(message.subject.slice(message.subject.lastIndexOf('.') + 1))
    if (kind === 'record writes') {
      const bucket = message.subject.split('.')[1] ?? ''
      add(writes, bucket)
      if (message.reply !== undefined) asked.set(message.reply, bucket)
    }
    const answered = asked.get(message.subject)
    if (answered === undefined) return
    asked.delete(message.subject)
    if (conflictCodes.test(message.string())) add(conflicts, answered)
  }
  const subscription = connection.subscribe('>', {
    callback(error, message) {
      if (!error) note(message)
    },
  })
  await connection.flush()
  const count = (kind: BrokerMessageKind): number => counts.get(kind) ?? 0
  const sum = (kinds: readonly BrokerMessageKind[]): number => kinds.reduce((all, kind) => all + count(kind), 0)
  return {
    count,
    total: () => sum(brokerMessageKinds),
    durableWrites: () => sum(durable),
    requests: () => sum(brokerMessageKinds.filter((kind) => !sentByBroker.has(kind))),
    writesTo: (bucket) => ({ writes: writes.get(bucket) ?? 0, conflicts: conflicts.get(bucket) ?? 0 }),
    erased,
    reset() {
      for (const one of [counts, writes, conflicts, asked]) one.clear()
      erased.length = 0
    },
    close: () => subscription.unsubscribe(),
  }
}

/** By how a subject begins. What is delivered keeps the subject it was stored under, and is to be answered. */
const kindsOfSubjects: readonly (readonly [string, BrokerMessageKind])[] = [
  ['$KV.', 'record writes'],
  ['asr.', 'queue writes'],
  ['$JS.API.STREAM.PURGE.', 'erasures'],
  ['$JS.API.STREAM.MSG.GET.', 'strong reads'],
  ['$JS.API.DIRECT.GET.', 'batched reads'],
  ['$JS.API.CONSUMER.MSG.NEXT.', 'pulls'],
  ['$JS.API.STREAM.INFO.', 'stream infos'],
  ['$JS.API.CONSUMER.CREATE.', 'consumers made'],
  ['$JS.API.', 'other requests'],
  ['_INBOX.', 'answers'],
]

function kindOf(message: Msg): BrokerMessageKind {
  const { subject, reply = '' } = message
  if (reply.startsWith('$JS.ACK.')) return 'deliveries'
  if (subject.startsWith('$JS.ACK.')) return kindOfAnswer(message.string())
  return kindsOfSubjects.find(([beginning]) => subject.startsWith(beginning))?.[1] ?? 'calls'
}

function kindOfAnswer(said: string): BrokerMessageKind {
  if (said === '+WPI') return 'signs of life'
  return said === '' || said === '+ACK' ? 'acknowledgements' : 'refusals'
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
