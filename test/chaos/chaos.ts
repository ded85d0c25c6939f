import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import { interrupted, interruption } from '../support/interruption.ts'
import { planFaults } from './nemesis/plan.ts'
import { readCommand, usage, ChaosUsageError } from './options.ts'
import type { ChaosCommand } from './options.ts'
import { page } from './report/page.ts'
import { chaosSummary } from './report/summary.ts'
import type { ChaosSummary } from './report/summary.ts'
import { timeline } from './report/timeline.ts'
import { runChaos } from './run.ts'
import type { ChaosRun } from './run.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const command = readCommand(process.argv.slice(2))
    if (!command) return say(usage, 0)
    if (command.isPlanOnly) return say(planText(command), 0)
    const run = await runChaos({ ...command, interrupted: interruption(), say: (line) => void say(`${line}\n`, 0) })
    const summary = chaosSummary(run)
    const code = say(verdictText(run, summary, command.report), summary.isPassed ? 0 : 1)
    await write(command, run, summary)
    return code
  } catch (error) {
    // what is still under way has lost everything under its feet
    if (error === interrupted) process.exit(130)
    if (!(error instanceof ChaosUsageError)) throw error
    process.stderr.write(`${error.message}\n\n${usage}`)
    return 2
  }
}

function say(text: string, code: number): number {
  process.stdout.write(text)
  return code
}

function planText({ seed, minutes, kinds }: ChaosCommand): string {
  return planFaults({ seed, forMs: minutes * 60_000, kinds })
    .map(({ kind, atMs, ms }) => `${(atMs / 1000).toFixed(1).padStart(7)} s  ${kind} for ${(ms / 1000).toFixed(1)} s\n`)
    .join('')
}

/** The page, its picture alone, and everything that was recorded, one JSON value a line. */
async function write({ report }: ChaosCommand, run: ChaosRun, summary: ChaosSummary): Promise<void> {
  await mkdir(dirname(report), { recursive: true })
  await writeFile(report, page(run, summary))
  await writeFile(`${report.replace(/\.html$/, '')}.svg`, timeline(run))
  const { faults, operations, samples, complaints, notes } = run.history
  const entries = Object.entries({
    fault: faults,
    operation: operations,
    sample: samples,
    complaint: complaints,
    note: notes,
  })
  const lines = entries.flatMap(([type, all]) => all.map((one) => `${JSON.stringify({ type, ...one })}\n`))
  await writeFile(`${report.replace(/\.html$/, '')}.ndjson`, lines.join(''))
}

function verdictText({ counts, healedMs, endedMs }: ChaosRun, summary: ChaosSummary, report: string): string {
  const { calls } = counts
  const wrong = summary.verdicts.filter(({ complaints }) => complaints.length > 0)
  return [
    `${summary.isPassed ? 'PASSED' : 'FAILED'}: lost ${summary.lost}, doubled ${summary.doubled}`,
    `${summary.faults} faults of ${summary.kinds} kinds, ${summary.operations} requests, ${counts.batches} batches, ${counts.files} files (${counts.deleted} deleted), ${calls.chunks} chunks`,
    `${calls.made} recogniser calls: ${calls.expected} asked for by the recordings, up to ${calls.allowed} explained by faults`,
    `everything had ended ${((endedMs - healedMs) / 1000).toFixed(1)} s after the last fault`,
    ...wrong.flatMap(({ about, complaints }) => [
      `✗ ${about}`,
      ...complaints.slice(0, 10).map((sentence) => `    ${sentence}`),
    ]),
    `report: ${resolve(report)}`,
    ...(summary.isPassed ? [] : ['Do it again with:', `  ${summary.replay}`]),
    '',
  ].join('\n')
}
