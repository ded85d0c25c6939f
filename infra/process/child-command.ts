import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const allThreads = new URL('./all-threads.js', import.meta.url)

/** How Node is started for a child of ours: all of its threads are there before its module is loaded. */
const node = [process.execPath, '--import', allThreads.href]

/** All that it has: it needs no more, and secrets live in ours. */
export const childEnvironment = { UV_THREADPOOL_SIZE: '1' }

interface ChildCommand {
  readonly flags?: readonly string[]
  readonly words?: readonly string[]
}

export function childCommand(module: URL, { flags = [], words = [] }: ChildCommand = {}): readonly string[] {
  return [...node, ...flags, fileURLToPath(module), ...words]
}

const count = 'process.stdout.write(String(fs.readdirSync("/proc/self/task").length))'
const countWithinMs = 30_000

let threads: number | undefined

/** How many threads such a child has, which differs between versions of Node; NaN where nobody tells. Counted once. */
export function threadsOfChild(): number {
  if (threads !== undefined) return threads
  const [program = '', ...flags] = node
  const counted = spawnSync(program, [...flags, '--eval', count], {
    env: childEnvironment,
    encoding: 'utf8',
    timeout: countWithinMs,
  })
  threads = counted.status === 0 ? Number(counted.stdout) : Number.NaN
  return threads
}
