import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe, which knows the rules of accessibility, has against the page, each with the place it was found at. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'))
  const found = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] } // as: its documented result
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}
