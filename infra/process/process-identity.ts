import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { z } from 'zod'

import { codeOf } from './error-code.ts'

/**
 * A process, told apart from a later one that was given the same number. `startedAt` is only ever compared for equality.
 * Everything here is synchronous, so that a child can be noted down in the same breath in which it was started.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
}

export const processIdentitySchema = z.object({ pid: z.number().int().positive(), startedAt: z.string() })

const unknownStart = 'unknown'
const psTimeoutMs = 5_000

export function identityOf(pid: number): ProcessIdentity | undefined {
  if (!exists(pid)) return undefined
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  return startedAt === undefined ? undefined : { pid, startedAt }
}

export function thisProcess(): ProcessIdentity {
  return identityOf(process.pid) ?? { pid: process.pid, startedAt: unknownStart }
}

/** When a start time cannot be read (a hidden /proc), the process counts as the same one: refusing is the safe answer. */
export function isRunning(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid)
  if (!now) return false
  return now.startedAt === identity.startedAt || [now.startedAt, identity.startedAt].includes(unknownStart)
}

/** Field 22 of /proc/<pid>/stat, in ticks since boot; undefined for a zombie, which holds nothing any more. */
export function startTicks(stat: string): string | undefined {
  // The second field is the program's name in brackets, and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  return state === 'Z' || state === 'X' ? undefined : fields[19]
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function startOnLinux(pid: number): string | undefined {
  try {
    const ticks = startTicks(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return ticks === undefined
      ? undefined
      : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch {
    return exists(pid) ? unknownStart : undefined
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
      timeout: psTimeoutMs,
    }).trim()
    const [state = '', ...start] = line.split(/\s+/)
    return state.startsWith('Z') ? undefined : start.join(' ')
  } catch {
    return exists(pid) ? unknownStart : undefined
  }
}
