import { parseArgs } from 'node:util'

import { breaks, isBreak } from './breaks.ts'
import { createSummary } from './summary.ts'
import { simulate } from './run.ts'

const usage = `Usage: npm run sim -- --seeds N [--from S] [--keep-going] [--break NAME]
       npm run sim -- --seed S [--trace] [--break NAME]

Runs the domain on virtual time against a broker and a storage in which everything goes wrong
that may, once for each seed. NAME is a way to build it wrong: ${breaks.join(', ')}.
`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    break: { type: 'string' },
    'keep-going': { type: 'boolean', default: false },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  const broken = values.break
  if (broken !== undefined && !isBreak(broken)) return complain(`There is no break "${broken}".`)
  if (values.seed === undefined && values.seeds === undefined) return complain('How many seeds?')
  const from = Number(values.seed ?? values.from)
  const count = values.seed === undefined ? Number(values.seeds) : 1
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count)) return complain('Seeds are whole numbers.')

  const trace = values.trace ? (line: string): boolean => process.stdout.write(`${shortened(line)}\n`) : undefined
  // most errors here are answers; their stacks cost more than all the rest
  if (!trace) Error.stackTraceLimit = 0
  const summary = createSummary()
  const startedMs = performance.now()
  for (let seed = from; seed < from + count; seed += 1) {
    const verdict = await simulate({ seed, broken, trace })
    summary.add(verdict)
    if (verdict.complaint === undefined) continue
    const replay = `npm run sim -- --seed ${seed} --trace${broken ? ` --break ${broken}` : ''}`
    process.stdout.write(`seed ${seed} failed: ${verdict.complaint}\n  ${replay}\n`)
    if (!values['keep-going']) break
  }
  const { user, system } = process.cpuUsage()
  process.stdout.write(summary.text({ ms: performance.now() - startedMs, cpuMs: (user + system) / 1000 }))
  return summary.failed > 0 ? 1 : 0
}

/** The ids of a simulation differ in their last digits only. */
function shortened(line: string): string {
  return line.replaceAll(/([fb])\1{7}-0000-7000-8000-0{11}|o{21}/g, '$1')
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n\n${usage}`)
  return 2
}
