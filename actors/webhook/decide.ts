import { unreachable } from '../decision.ts'
import type { Decision } from '../decision.ts'
import type { NoticeCommand, NoticeEffect, NoticeOutcome, NoticeWork } from './protocol.ts'
import type { Notice } from './state.ts'

export function decide(notice: Notice | undefined, command: NoticeCommand): Decision<Notice | undefined, NoticeEffect> {
  switch (command.type) {
    case 'Attempted': {
      const state = attempted(notice, command.work, command.outcome)
      return { state, effects: nextOf(state, command.work, command.outcome.delayMs) }
    }
    case 'Repeated':
      return { state: notice, effects: nextOf(notice, command.work, command.delayMs) }
    case 'Resend': {
      const state = again(notice)
      return { state, effects: [{ type: 'EnqueueCall', round: state.round, attempt: 1, delayMs: 0 }] }
    }
    default:
      return unreachable(command)
  }
}

/** Whether this attempt is still to be made: its message may come twice, late, or after a later round began. */
export function isDue(notice: Notice | undefined, { round, attempt }: NoticeWork): boolean {
  if (!notice || notice.round < round) return true
  return notice.round === round && notice.standing === 'waiting' && notice.attempts.length < attempt
}

/** The first who tells of an attempt is believed. */
export function attempted(
  notice: Notice | undefined,
  work: NoticeWork,
  outcome: Pick<NoticeOutcome, 'attempt' | 'standing'>,
): Notice {
  if (notice && !isDue(notice, work)) return notice
  const before = notice?.round === work.round ? notice.attempts : []
  return { round: work.round, standing: outcome.standing, attempts: [...before, outcome.attempt] }
}

/** The user wants it again: whatever is still under way of an earlier round ends there. */
export function again(notice: Notice | undefined): Notice {
  return { round: (notice?.round ?? 1) + 1, standing: 'waiting', attempts: [] }
}

function nextOf(notice: Notice | undefined, { round, attempt }: NoticeWork, delayMs: number): NoticeEffect[] {
  const isLast = notice?.round === round && notice.attempts.length === attempt
  if (notice?.standing !== 'waiting' || !isLast) return []
  return [{ type: 'EnqueueCall', round, attempt: attempt + 1, delayMs }]
}
