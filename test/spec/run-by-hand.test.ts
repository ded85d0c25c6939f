import { spawn } from 'node:child_process'
import { once } from 'node:events'

import test from 'ava'

/** What the scripts of package.json run, with words that only make them say how they are used. */
const entries = {
  chaos: ['chaos/chaos.js', '--help'],
  sim: ['sim/sim.js'],
  soak: ['soak/soak.js'],
  fuzz: ['fuzz/fuzz.js'],
  neighbours: ['neighbours/neighbours.js'],
  bench: ['bench/bench.js', '--help'],
} as const

for (const [name, [entry, ...words]] of Object.entries(entries))
  test(`npm run ${name} starts without a test runner, and says how it is used`, async (t) => {
    const path = new URL(`../${entry}`, import.meta.url).pathname
    const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    await once(child, 'close')
    t.regex(said, new RegExp(`^(?:[^\\n]*\\n\\n)?Usage: npm run ${name} --`))
  })
