import { percentile } from '../bench/table.ts'
import type { NeighboursReport } from './run.ts'

/** What one kind of deed took, alone and beside the hostile tenant. */
interface Compared {
  readonly what: string
  readonly times: number
  readonly calmP95Ms: number
  readonly besideP95Ms: number
  /** Beside against alone; what is quick stays quick below a tenth of a second, whatever the ratio. */
  readonly ratio: number
}

/** A hostile neighbour may make it so many times as slow. */
export const mostRatio = 3
/** Below it nobody feels a difference, and a machine's own doings are larger than any neighbour's. */
const unfeltMs = 100
const share = 0.95

export function compared({ calm, beside }: NeighboursReport): Compared[] {
  return [...new Set(beside.map(({ what }) => what))].map((what) => {
    const msOf = (deeds: typeof calm) => deeds.filter((deed) => deed.what === what).map(({ ms }) => ms)
    const [calmP95Ms, besideP95Ms] = [percentile(msOf(calm), share), percentile(msOf(beside), share)]
    const ratio = besideP95Ms / Math.max(calmP95Ms, unfeltMs)
    return { what, times: msOf(beside).length, calmP95Ms, besideP95Ms, ratio }
  })
}

export function failures({ calm, beside }: NeighboursReport): string[] {
  return [...calm, ...beside].flatMap(({ what, failure }) => (failure === undefined ? [] : [`${what}: ${failure}`]))
}

export function neighboursText(report: NeighboursReport): string {
  const rows = compared(report).map(
    ({ what, times, calmP95Ms, besideP95Ms, ratio }) =>
      `| ${what} | ${times} | ${calmP95Ms.toFixed(0)} | ${besideP95Ms.toFixed(0)} | ${ratio.toFixed(1)} |`,
  )
  const attacks = Object.entries(report.tally).map(
    ([name, counts]) =>
      `- ${name}: ${Object.entries(counts)
        .map(([outcome, count]) => `${outcome} ${count} ×`)
        .join(', ')}`,
  )
  return [
    '| what the good tenant did | times | p95 alone, ms | p95 beside, ms | ratio |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    'What the hostile one tried, and what came of it:',
    ...attacks,
    '',
    ...failures(report).map((failure) => `FAILED ${failure}`),
    '',
  ].join('\n')
}
