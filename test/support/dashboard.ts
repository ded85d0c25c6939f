import { readFile } from 'node:fs/promises'

import { inCheckout } from './checkout.ts'

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

/** What the panels of the dashboard that we ship ask for, by their titles. */
export async function dashboardExpressions(): Promise<[title: string, expression: string][]> {
  const text = await readFile(inCheckout('infra', 'deploy', 'grafana', 'vaak.json'), 'utf8')
  const { panels } = JSON.parse(text) as { panels: Panel[] } // as: our own file
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr]))
}
