import { readFileSync, writeFileSync } from 'node:fs'

import type { Timer } from '../../actors/ports.ts'
import { codeOf } from './error-code.ts'

/** How far a session of ours gives way to others, where Linux shares the processor between sessions first (autogroup). */
export interface SessionWay {
  /** It gives way to nobody meanwhile, for a while at most. */
  hurried<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Who takes longer is no longer hurried: others are waiting, too. */
const hurriedMs = 10_000
/** The kernel lets a session change its mind ten times a second, and says so when it is more. */
const settleMs = 250
const tooSoon = 'EAGAIN'

/** Says how far our session gives way, unless it is not ours alone; false when it is to be said again. A kernel without autogroups has nothing to hear. */
export function sayWay(niceness: number): boolean {
  if (!leadsItsSession()) return true
  try {
    writeFileSync('/proc/self/autogroup', String(niceness))
    return true
  } catch (error) {
    return codeOf(error) !== tooSoon
  }
}

/** Niceness tells threads of one session apart, and never one session from another: so a session that has something urgent must say so itself. */
export function openSessionWay(niceness: number, timer: Timer, say = sayWay): SessionWay {
  let urgent = 0
  let said = niceness
  let isSettling = false

  const settle = (): void => {
    const wanted = urgent > 0 ? 0 : niceness
    if (wanted === said) return
    if (say(wanted)) said = wanted
    else settleLater()
  }
  const settleLater = (): void => {
    if (isSettling) return
    isSettling = true
    timer.after(settleMs, () => {
      isSettling = false
      settle()
    })
  }
  const change = (by: number): void => {
    urgent += by
    if (urgent > 0) settle()
    else settleLater()
  }
  return {
    async hurried(work) {
      let isCounted = true
      const leave = (): void => {
        if (isCounted) change(-1)
        isCounted = false
      }
      change(1)
      const stop = timer.after(hurriedMs, leave)
      try {
        return await work()
      } finally {
        stop()
        leave()
      }
    },
  }
}

function leadsItsSession(): boolean {
  try {
    // what follows the name in brackets: state, parent, group, session
    const session = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[3]
    return Number(session) === process.pid
  } catch {
    return false
  }
}
