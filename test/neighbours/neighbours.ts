import { parseArgs } from 'node:util'

import { interrupted, interruption } from '../support/interruption.ts'
import { compared, failures, mostRatio, neighboursText } from './report.ts'
import { runNeighbours } from './run.ts'

const usage = `Usage: npm run neighbours -- --minutes M [--seed S] [--only ATTACK] [--calm SECONDS]

Starts everything that \`vaak up\` starts, with the settings that we ship, and two users: a good one that transcribes, reads,
searches, listens and talks, and a hostile one that does its worst. What the good one does must succeed, every time, and take at
most ${mostRatio} times as long (p95) as it takes alone. With --only the hostile one keeps to the attacks of which this is a part of the name.
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    calm: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
process.exitCode = await main()

async function main(): Promise<number> {
  const [minutes, calmSeconds, seed] = [Number(values.minutes), Number(values.calm), Number(values.seed)]
  if (!(minutes > 0) || !(calmSeconds >= 0) || !Number.isSafeInteger(seed)) {
    process.stderr.write(`How many minutes?\n\n${usage}`)
    return 2
  }
  const run = { calmSeconds, hostileSeconds: minutes * 60, seed, only: values.only, say, interrupted: interruption() }
  try {
    const report = await runNeighbours(run)
    process.stdout.write(neighboursText(report))
    return failures(report).length === 0 && compared(report).every(({ ratio }) => ratio <= mostRatio) ? 0 : 1
  } catch (error) {
    // what is still under way has lost everything under its feet
    if (error === interrupted) process.exit(130)
    throw error
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
