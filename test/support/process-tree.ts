import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

import { identityOf, isRunning } from '../../infra/process/process-identity.ts'
import type { ProcessIdentity } from '../../infra/process/process-identity.ts'

export interface RunningProcess extends ProcessIdentity {
  readonly command: string
  readonly parentPid: number
}

/** Children, and children of children, that run now. */
export function descendantsOf(pid: number): RunningProcess[] {
  const parents = process.platform === 'linux' ? parentsOnLinux() : parentsByPs()
  const below = (parent: number): RunningProcess[] =>
    parents
      .filter((one) => one.parentPid === parent)
      .flatMap((one) => {
        const identity = identityOf(one.pid)
        const self = identity && {
          pid: one.pid,
          startedAt: identity.startedAt,
          command: one.command,
          parentPid: parent,
        }
        return self ? [self].concat(below(one.pid)) : []
      })
  return below(pid)
}

export function endOutright(processes: readonly ProcessIdentity[]): void {
  for (const one of processes) if (isRunning(one)) process.kill(one.pid, 'SIGKILL')
}

interface Parent {
  readonly pid: number
  readonly parentPid: number
  readonly command: string
}

function parentsOnLinux(): Parent[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const parentPid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), parentPid, command }]
      } catch {
        return [] // it ended while we looked
      }
    })
}

function parentsByPs(): Parent[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parentPid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parentPid: Number(parentPid), command }]
    })
}
