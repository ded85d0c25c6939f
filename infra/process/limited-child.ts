import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

import { childCommand, childEnvironment } from './child-command.ts'
import { givingWayWords, patientNiceness } from './give-way.ts'
import { sandboxWords } from './sandbox.ts'

/** What a child of ours may take. The kernel enforces it, whatever the child's code does. */
export interface ChildLimits {
  /** For diagnostics: the name of the shell that becomes the child. */
  readonly name: string
  readonly heapMegabytes: number
  /** Of the heap's young part; the runtime's own choice when absent. */
  readonly youngMegabytes?: number
  /** More than its work needs. It ends a child that spins after its parent was killed. */
  readonly cpuSeconds: number
  readonly memoryBytes: number
  /** How far it gives way, from its first moment; as threads do unless told. */
  readonly niceness?: number | undefined
  /** Words of ours, never a user's. */
  readonly words?: readonly string[]
  /** Open files of ours that it has too, from `firstDescriptor` on. */
  readonly descriptors?: readonly number[]
}

/** Behind its three pipes. */
export const firstDescriptor = 3

export interface LimitedChild {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** It no longer keeps our own process alive. */
  rest(): void
  /** It does again. */
  wake(): void
  /** Ends it; what it still had to say can be read. */
  kill(): void
  /** Ends it for somebody who will not read on: unread output would keep its pipe open for ever. */
  discard(): void
  /** Resolves when it is gone and its pipes are closed, or when it could not be started. */
  readonly ended: Promise<ChildEnd>
}

export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Quotes the last it wrote to standard error. */
  readonly cause: Error
}

/** Nothing of it is written to any file: what it has to say goes through its pipe. */
const underLimits = 'ulimit -c 0 && ulimit -f 0 && ulimit -t "$1" && ulimit -d "$2" && shift 2 && exec "$@"'
/**
 * Where Linux shares the processor between sessions first, what a child takes counts against the session that it is in, however far it gives way there: ours
 * would have its turn later. Its own gives way as a worker's does: further, and a busy machine would never even start it. Who is not root is heard ten times a
 * second at most, all sessions of the machine together.
 */
const sessionNiceness = 10
const ownWay = `for _ in 1 2 3 4 5; do [ ! -w /proc/self/autogroup ] || { echo ${sessionNiceness} > /proc/self/autogroup; } 2> /dev/null && break; sleep 0.1; done;`
const keptErrorChars = 2_000

/** Runs a module of ours in a process of its own, in a sandbox where there is one, with pipes to it and nothing of our environment. */
export function startLimitedChild(module: URL, limits: ChildLimits): LimitedChild {
  const child = spawnUnder(module, limits)
  let lastWords = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-keptErrorChars)
  })
  child.stdin.on('error', () => undefined) // it may be gone already: its death tells the story
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('error', (cause) => resolve({ code: null, signal: null, cause }))
    child.once('close', (code, signal) => {
      const cause = new Error(`the ${limits.name} process ended with ${signal ?? code}: ${lastWords.trim()}`)
      resolve({ code, signal, cause })
    })
  })
  const pipes = [child.stdin, child.stdout, child.stderr]
  const everything = [child, ...pipes]

  function wake(): void {
    for (const part of everything) if ('ref' in part && typeof part.ref === 'function') part.ref()
  }

  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    rest() {
      for (const part of everything) if ('unref' in part && typeof part.unref === 'function') part.unref()
    },
    wake,
    kill: () => void child.kill('SIGKILL'),
    discard() {
      wake() // one that rests would not keep us alive until it has ended
      child.kill('SIGKILL')
      for (const pipe of pipes) pipe.destroy()
    },
    ended,
  }
}

function spawnUnder(module: URL, limits: ChildLimits) {
  const { heapMegabytes, youngMegabytes, words = [], descriptors = [] } = limits
  const young = youngMegabytes === undefined ? [] : [`--max-semi-space-size=${youngMegabytes}`]
  const command = childCommand(module, { flags: [`--max-old-space-size=${heapMegabytes}`, ...young], words })
  const bounds = [String(limits.cpuSeconds), String(Math.floor(limits.memoryBytes / 1024))]
  const through = [...givingWayWords(limits.niceness), ...sandboxWords()]
  const isPatient = limits.niceness === patientNiceness
  const script = isPatient ? `${ownWay} ${underLimits}` : underLimits
  return spawn('/bin/sh', ['-c', script, limits.name, ...bounds, ...through, ...command], {
    // as: pipes, whatever follows them
    stdio: ['pipe', 'pipe', 'pipe', ...descriptors] as unknown as ['pipe', 'pipe', 'pipe'],
    env: childEnvironment,
    detached: isPatient, // a session of its own
  })
}
