import { parseArgs } from 'node:util'

import { contractText } from './contract-report.ts'
import { fuzzContract } from './contract.ts'
import { mediaText } from './media-report.ts'
import { fuzzMedia } from './media.ts'

const usage = `Usage: npm run fuzz -- --requests N [--seed S] [--from I]
       npm run fuzz -- --media N [--seed S] [--from I]

The first drives every documented route of a real gateway with generated and mutated requests of
two users, and holds each answer against the OpenAPI document. The second gives mutated recordings
of every container to the decoder.
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    media: { type: 'string' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  const [seed, from, count] = [values.seed, values.from, values.requests ?? values.media].map(Number)
  if (seed === undefined || from === undefined || count === undefined) return complain('How many?')
  if (![seed, from, count].every(Number.isSafeInteger)) return complain('How many? Those are to be whole numbers.')
  return values.requests === undefined ? media(seed, from, count) : contract(seed, from, count)
}

async function contract(seed: number, from: number, requests: number): Promise<number> {
  const run = { seed, from, requests }
  const report = await fuzzContract(run)
  process.stdout.write(contractText(run, report))
  return report.failures.length > 0 ? 1 : 0
}

async function media(seed: number, from: number, files: number): Promise<number> {
  const run = { seed, from, files }
  const report = await fuzzMedia(run)
  process.stdout.write(mediaText(run, report))
  return report.failures.length > 0 ? 1 : 0
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n\n${usage}`)
  return 2
}
