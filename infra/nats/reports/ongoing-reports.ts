import { terminal } from '../../../actors/failure.ts'
import { foldPerKey } from '../../../actors/fold-per-key.ts'
import type { Log } from '../../../actors/ports.ts'
import { within } from '../../../actors/trace/ports.ts'
import type { TracedPart } from '../../../actors/trace/ports.ts'
import { settledWithin } from '../../timing/settled-within.ts'
import type { Delivery } from '../queue/delivery.ts'
import { keepAlive } from '../queue/keep-alive.ts'
import { leftToNewer } from '../queue/newer.ts'
import type { PublishClient } from '../queue/publish.ts'
import { refuseDelivery } from '../queue/refuse-delivery.ts'
import { groupOf, keyOf } from './report-groups.ts'
import type { ReportGroup } from './report-groups.ts'
import { parseReport } from './report-schema.ts'
import type { Report } from './report-schema.ts'

/** The reports that this process has taken and not answered. */
interface OngoingReports {
  count(): number
  begin(deliveries: readonly Delivery[]): void
  /** Lets them be handled within `graceMs`, then hands the rest back. */
  empty(graceMs: number): Promise<void>
}

interface ReportHandsOptions {
  readonly client: PublishClient
  /** Never two at a time about the same record in this process. */
  readonly handle: (group: ReportGroup) => Promise<void>
  readonly giveUp: (group: ReportGroup, error: unknown) => Promise<void>
  readonly ackWaitMs: number
  readonly log: Log
  readonly freed: () => void
}

interface Told {
  readonly delivery: Delivery
  readonly report: Report
}

const notUnderstood = terminal('invalid_request', 'It is not a report that this version understands.')
/** A handler that takes longer is stuck. */
const handleWithinMs = 300_000

export function openOngoingReports(options: ReportHandsOptions): OngoingReports {
  const { client, handle, giveUp, ackWaitMs, log, freed } = options
  const held = new Set<Delivery>()
  const answering = new Set<Promise<void>>()
  const beating = new Set<() => void>()
  // what comes about a record while it is being written goes into its next write
  const tell = foldPerKey<string, Report>(async (_key, [first, ...more]) => {
    if (first) await handle(groupOf([first, ...more]))
  })

  const answer = async (key: string, group: readonly Told[]): Promise<void> => {
    const deliveries = group.map(({ delivery }) => delivery)
    const gaveUp = (): void => log.error('reports are not handled and are left to another worker', { key })
    const rest = keepAlive(deliveries, { ackWaitMs, limitMs: handleWithinMs, gaveUp })
    beating.add(rest)
    const reports = group.map(({ report }) => report)
    const failed = await within(client.tracer, partOf(group), () => tell(key, reports)).then(
      () => undefined,
      (error: unknown) => {
        log.warn('reports were not handled', { key, error })
        return { error }
      },
    )
    rest()
    beating.delete(rest)
    const ours = group.filter(({ delivery }) => held.delete(delivery))
    freed()
    if (!failed) return acknowledge(ours, key, log)
    for (const { delivery, report } of ours)
      await refuseDelivery(delivery, {
        client,
        error: failed.error,
        giveUp: (error) => giveUp(groupOf([report]), error),
        facts: { key },
        log,
      })
  }
  const track = (answered: Promise<void>): void => {
    answering.add(answered)
    void answered.then(() => answering.delete(answered))
  }
  return {
    count: () => held.size,
    begin(deliveries) {
      const { groups, others } = groupedByKey(deliveries, log)
      for (const [key, group] of groups) {
        for (const { delivery } of group) held.add(delivery)
        track(answer(key, group))
      }
      for (const delivery of others) track(refuseDelivery(delivery, { client, error: notUnderstood, facts: {}, log }))
    },
    async empty(graceMs) {
      await settledWithin(answering, graceMs)
      for (const rest of beating) rest()
      for (const delivery of held) delivery.nak()
      held.clear()
    },
  }
}

/** Of several the last is their cause: it is the one that something may have waited for. */
function partOf(group: readonly Told[]): TracedPart {
  const last = group.at(-1)
  return { name: `tell ${last?.report.to}`, kind: 'consumer', cause: last?.delivery.cause }
}

function groupedByKey(deliveries: readonly Delivery[], log: Log): { groups: Map<string, Told[]>; others: Delivery[] } {
  const groups = new Map<string, Told[]>()
  const others: Delivery[] = []
  for (const delivery of deliveries) {
    if (leftToNewer(delivery, log)) continue
    const report = parseReport(delivery.body)
    if (report) {
      const key = keyOf(report)
      groups.set(key, [...(groups.get(key) ?? []), { delivery, report }])
    } else others.push(delivery)
  }
  return { groups, others }
}

async function acknowledge(told: readonly Told[], key: string, log: Log): Promise<void> {
  const outcomes = await Promise.allSettled(told.map(({ delivery }) => delivery.ack()))
  const unknown = outcomes.filter(({ status }) => status === 'rejected').length
  if (unknown > 0) log.info('nobody confirmed that reports are handled; they may come again', { key, unknown })
}
