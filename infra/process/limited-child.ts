import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a child of ours may take. The kernel enforces it, whatever the child's code does. */
interface ChildLimits {
  /** For diagnostics: the name of the shell that becomes the child. */
  readonly name: string
  readonly heapMegabytes: number
  /** Of the heap's young part; the runtime's own choice when absent. */
  readonly youngMegabytes?: number
  /** More than its work needs. It ends a child that spins after its parent was killed. */
  readonly cpuSeconds: number
  readonly memoryBytes: number
  /** Words of ours, never a user's. */
  readonly words?: readonly string[]
}

const underLimits = 'ulimit -c 0 && ulimit -t "$1" && ulimit -d "$2" && shift 2 && exec "$@"'

/** Runs a module of ours in a process of its own, with pipes to it and nothing of our environment. */
export function startLimitedChild(module: URL, limits: ChildLimits): ChildProcessWithoutNullStreams {
  const { heapMegabytes, youngMegabytes, words = [] } = limits
  const young = youngMegabytes === undefined ? [] : [`--max-semi-space-size=${youngMegabytes}`]
  const heap = [`--max-old-space-size=${heapMegabytes}`, ...young]
  const command = [process.execPath, ...heap, fileURLToPath(module), ...words]
  const bounds = [String(limits.cpuSeconds), String(Math.floor(limits.memoryBytes / 1024))]
  return spawn('/bin/sh', ['-c', underLimits, limits.name, ...bounds, ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {}, // it needs none, and secrets live there
  })
}
