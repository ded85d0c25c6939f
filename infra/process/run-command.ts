import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

import { codeOf } from './error-code.ts'

interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly timeoutMs: number
  /** Lines that the program writes to descriptor 3. */
  readonly onStatus?: (line: string) => void
}

const keptOutputChars = 1024 * 1024
const quotedErrorChars = 600

/**
 * Nobody can start a program that is open for writing; one that we have just written may be for a moment more, by a child of ours that was
 * started meanwhile and is not its own program yet.
 */
const busyTries = 50
const busyPauseMs = 100

/** Runs a program to its end and resolves with what it printed; anything but success is an Error that quotes its words. */
export async function runCommand(command: Program): Promise<string> {
  for (let triesLeft = busyTries; ; triesLeft -= 1)
    try {
      return await runOnce(command)
    } catch (error) {
      if (codeOf(error) !== 'ETXTBSY' || triesLeft <= 1) throw error
      await pause(busyPauseMs)
    }
}

function runOnce(command: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.program, command.args, {
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      stdio: ['ignore', 'pipe', 'pipe', command.onStatus ? 'pipe' : 'ignore'],
      timeout: command.timeoutMs,
      killSignal: 'SIGKILL',
    })
    const printed = { out: '', err: '' }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed.out = (printed.out + text).slice(-keptOutputChars)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed.err = (printed.err + text).slice(-quotedErrorChars)
    })
    const status = child.stdio[3]
    if (command.onStatus && status && 'read' in status)
      createInterface({ input: status }).on('line', command.onStatus).on('error', reject)
    child.on('error', (error) => reject(new Error(`${command.program} could not be run: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(printed.out)
      const how = signal === null ? `status ${code}` : `${signal}, after at most ${command.timeoutMs} ms`
      reject(new Error(`${command.program} ended with ${how}: ${printed.err.trim() || 'it said nothing'}`))
    })
  })
}
