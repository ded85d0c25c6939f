import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { takeEnvironment } from '../../infra/config/config.ts'

/** A process that takes its environment, and tells what is then found where. */
const taken = takeEnvironment((error) => {
  throw error
})
process.stdout.write(
  JSON.stringify({
    taken,
    left: process.env,
    inherited: execFileSync('/usr/bin/env', { encoding: 'utf8' }),
    shown: readFileSync('/proc/self/environ', 'latin1').replaceAll('\0', ''),
  }),
)
