import { parseArgs } from 'node:util'

import { soakText } from './report.ts'
import { soak } from './run.ts'

const usage = `Usage: npm run soak -- --minutes M

Runs a real broker, gateway, worker and realtime server at low load, and holds what they have at the end (memory, handles,
timers, open files, and everything in the broker) against what they had at the start.
`
/** A tenth of the run, within bounds: what a process takes from the system it takes in the first minutes, and does not give back. */
const warmUpSecondsMin = 60
const warmUpSecondsMax = 15 * 60
const pauseMs = 1_000
const conversationEvery = 5

const { values } = parseArgs({ options: { minutes: { type: 'string' } } })
process.exitCode = await main()

async function main(): Promise<number> {
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) {
    process.stderr.write(`How many minutes?\n\n${usage}`)
    return 2
  }
  const warmUpSeconds = Math.min(warmUpSecondsMax, Math.max(warmUpSecondsMin, minutes * 6))
  const report = await soak({ seconds: minutes * 60, warmUpSeconds, pauseMs, conversationEvery })
  process.stdout.write(soakText(report))
  return report.grown.length === 0 ? 0 : 1
}
