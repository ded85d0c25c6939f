import type { Prometheus } from '../../support/prometheus.ts'
import { dashboardExpressions } from '../../support/dashboard.ts'

/** What somebody who looks at our dashboard reads from the panels that tell of deaths. */
export type DashboardLook = Readonly<Record<string, string>>

const panels = new Set([
  'Processes that answer',
  'Started again',
  'Copies with the broker that are away',
  'Workers',
  'Tried again, came again, given back',
])
const digits = 3

export async function lookAtDashboard(prometheus: Prometheus): Promise<DashboardLook> {
  const rows = (await dashboardExpressions()).filter(([title]) => panels.has(title))
  const found = await Promise.all(
    rows.map(async ([title, expression]): Promise<[string, string]> => {
      const samples = await prometheus.query(expression)
      const values = samples.map(({ metric, value: [, number] }) => labelled(metric['job'], Number(number)))
      return [`${title}: ${expression}`, values.join(', ')]
    }),
  )
  return Object.fromEntries(found)
}

function labelled(job: string | undefined, number: number): string {
  return `${job === undefined ? '' : `${job.replace('vaak-', '')} `}${Number(number.toFixed(digits))}`
}
