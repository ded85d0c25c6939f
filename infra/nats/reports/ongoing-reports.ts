import { foldPerKey } from '../../../actors/fold-per-key.ts'
import type { Log } from '../../../actors/ports.ts'
import { settledWithin } from '../../timing/settled-within.ts'
import type { Delivery } from '../queue/delivery.ts'
import { keepAlive } from '../queue/keep-alive.ts'
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
  /** Never two at a time about the same record in this process. */
  readonly handle: (group: ReportGroup) => Promise<void>
  readonly ackWaitMs: number
  readonly log: Log
  readonly freed: () => void
}

interface Told {
  readonly delivery: Delivery
  readonly report: Report
}

const nakDelayMs = 1_000
/** A handler that takes longer is stuck. */
const handleWithinMs = 300_000

export function openOngoingReports({ handle, ackWaitMs, log, freed }: ReportHandsOptions): OngoingReports {
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
    const isDone = await tell(
      key,
      group.map(({ report }) => report),
    ).then(
      () => true,
      (error: unknown) => {
        log.warn('reports were not handled and come again', { key, error })
        return false
      },
    )
    rest()
    beating.delete(rest)
    const ours = deliveries.filter((delivery) => held.delete(delivery))
    freed()
    if (isDone) await acknowledge(ours, key, log)
    else for (const delivery of ours) delivery.nak(nakDelayMs)
  }
  return {
    count: () => held.size,
    begin(deliveries) {
      for (const [key, group] of groupedByKey(deliveries, log)) {
        for (const { delivery } of group) held.add(delivery)
        const answered = answer(key, group)
        answering.add(answered)
        void answered.then(() => answering.delete(answered))
      }
    },
    async empty(graceMs) {
      await settledWithin(answering, graceMs)
      for (const rest of beating) rest()
      for (const delivery of held) delivery.nak()
      held.clear()
    },
  }
}

function groupedByKey(deliveries: readonly Delivery[], log: Log): Map<string, Told[]> {
  const groups = new Map<string, Told[]>()
  for (const delivery of deliveries) {
    const report = parseReport(delivery.body)
    if (report) {
      const key = keyOf(report)
      groups.set(key, [...(groups.get(key) ?? []), { delivery, report }])
    } else {
      log.error('a message that is no report is taken out of the queue')
      delivery.term('it is not a report that this version understands')
    }
  }
  return groups
}

async function acknowledge(deliveries: readonly Delivery[], key: string, log: Log): Promise<void> {
  const outcomes = await Promise.allSettled(deliveries.map((delivery) => delivery.ack()))
  const unknown = outcomes.filter(({ status }) => status === 'rejected').length
  if (unknown > 0) log.info('nobody confirmed that reports are handled; they may come again', { key, unknown })
}
