import type { NoticeWork } from './protocol.ts'
import type { Notice, NoticeAttempt } from './state.ts'

/** Whether this attempt is still to be made: its message may come twice, late, or after a later round began. */
export function isDue(notice: Notice | undefined, { round, attempt }: NoticeWork): boolean {
  if (!notice || notice.round < round) return true
  return notice.round === round && notice.standing === 'waiting' && notice.attempts.length < attempt
}

/** The first who tells of an attempt is believed. */
export function attempted(
  notice: Notice | undefined,
  work: NoticeWork,
  outcome: { readonly attempt: NoticeAttempt; readonly standing: Notice['standing'] },
): Notice {
  if (notice && !isDue(notice, work)) return notice
  const before = notice?.round === work.round ? notice.attempts : []
  return { round: work.round, standing: outcome.standing, attempts: [...before, outcome.attempt] }
}

/** The user wants it again: whatever is still under way of an earlier round ends there. */
export function again(notice: Notice | undefined): Notice {
  return { round: (notice?.round ?? 1) + 1, standing: 'waiting', attempts: [] }
}
