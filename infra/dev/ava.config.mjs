// How `npm test` runs ava: as package.json says, and more files at a time.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const { ava } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Tests of whole servers wait for brokers, disks, leases and retries: with one file a core, a quarter of the machine is idle. */
const filesPerCore = 2

export default { ...ava, concurrency: filesPerCore * availableParallelism() }
