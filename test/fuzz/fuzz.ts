import { parseArgs } from 'node:util'

import { contractText } from './contract-report.ts'
import { fuzzContract } from './contract.ts'

const usage = `Usage: npm run fuzz -- --requests N [--seed S] [--from I]

Drives every documented route of a real gateway with generated and mutated requests of two users,
and holds each answer against the OpenAPI document.
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  if (values.requests === undefined) return complain('How many requests?')
  const run = { seed: Number(values.seed), from: Number(values.from), requests: Number(values.requests) }
  if (!Object.values(run).every(Number.isSafeInteger)) return complain('Those are to be whole numbers.')
  const report = await fuzzContract(run)
  process.stdout.write(contractText(run, report))
  return report.failures.length > 0 ? 1 : 0
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n\n${usage}`)
  return 2
}
