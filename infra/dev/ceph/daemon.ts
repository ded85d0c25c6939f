import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Daemon {
  readonly pid: number
  /** Why it ended, once it has. */
  ended(): string | undefined
  stop(signal?: NodeJS.Signals): Promise<void>
}

const stopWithinMs = 5_000

/** The kernel ends the daemon when this process is gone, however it went: a killed test leaves nothing behind. */
export async function startDaemon(program: string, args: readonly string[]): Promise<Daemon> {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], { stdio: 'ignore' })
  let ended: string | undefined
  const gone = once(child, 'exit').then(([code, signal]) => {
    ended = `${program} ended with ${String(signal ?? code)}`
  })
  await once(child, 'spawn')
  return {
    pid: child.pid ?? 0,
    ended: () => ended,
    stop: async (signal = 'SIGTERM') => {
      if (ended !== undefined) return
      child.kill(signal)
      const impatience = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await gone
      clearTimeout(impatience)
    },
  }
}
