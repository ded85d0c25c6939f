import { once } from 'node:events'

import { startLimitedChild } from '../../infra/process/limited-child.ts'

/** A process whose child spins in code that reads no pipe, as a decoder may that was taken over. Says so, and waits. */
const module = new URL('./planted-child.js', import.meta.url)
const child = startLimitedChild(module, {
  name: 'planted',
  heapMegabytes: 64,
  cpuSeconds: 120,
  memoryBytes: 512 * 1024 * 1024,
  words: ['spin'],
})
await once(child.stdout, 'data')
child.stdin.write('now\n')
process.stdout.write('it spins\n')
