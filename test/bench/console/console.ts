import { parseArgs } from 'node:util'

import type { Browser, Page } from 'playwright-core'

import { openChromium } from '../../support/open-chromium.ts'
import { startService } from '../service.ts'
import { machine, percentile, printTable } from '../table.ts'
import { layOutRecordings } from './recordings.ts'
import type { LaidRecordings } from './recordings.ts'
import { listSteps, readingSteps } from './steps.ts'
import { timed, timedOpening } from './stopwatch.ts'

const usage = `Usage: npm run bench -- console [--files 300] [--hours 3] [--runs 5]

How long each step takes in the console, in Chromium, with many files and a transcript of hours: from what a person does until
what they wait for is painted. A step should be within a second.`

/** Longer than this a person thinks of something else. */
const shouldMs = 1_000

export async function benchConsole(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      files: { type: 'string', default: '300' },
      hours: { type: 'string', default: '3' },
      runs: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const browser = await openChromium().catch((error: Error) => console.error(`No Chromium: ${error.message}`))
  if (!browser) return void (process.exitCode = 1)
  try {
    await measure(browser, { files: Number(values.files), hours: Number(values.hours), runs: Number(values.runs) })
  } finally {
    await browser.close()
  }
}

async function measure(browser: Browser, wanted: { files: number; hours: number; runs: number }): Promise<void> {
  const service = await startService()
  try {
    const laid = await layOutRecordings(service, wanted)
    const context = await browser.newContext({ permissions: ['clipboard-write'], locale: 'en' })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('pageerror', ({ message }) => troubles.push(message))
    await page.goto(`${service.url}/#token=${service.token}`)
    const timesMs = await allTimes(page, laid, wanted.runs)
    if (troubles.length > 0) throw new Error(`The page threw: ${troubles.join('; ')}`)
    printTable(
      `The console with ${laid.files} files and a transcript of ${laid.hours} h (${laid.sentences} sentences, ${laid.words} words), ` +
        `each step ${wanted.runs} times, Chromium ${browser.version()} (${machine()})`,
      [...timesMs].map(([name, times]) => rowOf(name, times)),
    )
  } finally {
    await service.stop()
  }
}

async function allTimes(page: Page, laid: LaidRecordings, runs: number): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>()
  const note = (name: string, tookMs: number): unknown => times.set(name, [...(times.get(name) ?? []), tookMs])
  const list = listSteps(laid)
  for (let run = 0; run < runs; run += 1) {
    await page.evaluate("location.hash = '#/'")
    note('the console opens', await timedOpening(page, list[0]!.until))
    for (const step of [...list, ...readingSteps(laid)]) note(step.name, await timed(page, step))
  }
  return times
}

function rowOf(step: string, times: readonly number[]): Record<string, string> {
  const [middleMs, mostMs] = [percentile(times, 0.5), Math.max(...times)]
  const verdict = mostMs <= shouldMs ? 'yes' : middleMs <= shouldMs ? 'mostly' : 'NO'
  return { step, p50: `${middleMs.toFixed(0)} ms`, max: `${mostMs.toFixed(0)} ms`, 'within 1 s': verdict }
}
