import { commit } from '../durable-actor.ts'
import type { Owner } from '../ids.ts'
import type { Clock, Records } from '../ports.ts'
import { moveToPages, roomInRecord, shareOfAll } from './quota-pages.ts'
import type { Quota, ShareKey } from '../quota/state.ts'

/** What a user may have transcribed in a day, on all machines together. What was spent stays spent, whatever becomes of it. */
export interface DayQuota {
  /** Nothing when there was room. Spending the same again is as good as once (I13). */
  spend(spent: Spent): Promise<DaySpent | undefined>
  /** Seconds. */
  spentToday(owner: Owner): Promise<number>
}

interface Spent {
  readonly owner: Owner
  readonly key: ShareKey
  readonly seconds: number
}

interface DaySpent {
  /** For who is refused. */
  readonly detail: string
  /** Until there may be room again; absent where no day has room for so much. */
  readonly secondsLeft?: number
}

const dayMs = 24 * 60 * 60 * 1000

/** Days are those of UTC, by this machine's clock: one that is wrong counts on another day, and forgives nothing. */
export function openDayQuota(
  { usage, clock }: { readonly usage: Records<Quota>; readonly clock: Clock },
  maxSeconds: number,
): DayQuota {
  const mostSeconds = maxSeconds === 0 ? Number.POSITIVE_INFINITY : maxSeconds
  const accountOn = (owner: Owner, ms: number): string => `${owner}.${Math.floor(ms / dayMs)}`
  return {
    async spentToday(owner) {
      const quota = await usage.read(accountOn(owner, clock.nowMs()))
      return quota ? shareOfAll(quota.value).seconds : 0
    },
    // also where there is no limit: people are shown what they used
    async spend({ owner, key, seconds }) {
      const nowMs = clock.nowMs()
      const account = accountOn(owner, nowMs)
      const { state, effects } = await commit(usage, account, (quota) => {
        const next: Quota = { ...quota, reserved: { ...quota?.reserved, [key]: { files: 0, seconds } } }
        const all = shareOfAll(next).seconds
        return all <= mostSeconds ? { state: next, effects: [] } : { state: quota, effects: [all] }
      })
      if (state && Object.keys(state.reserved).length >= roomInRecord) await moveToPages(usage, account)
      const [excess] = effects
      if (excess === undefined) return undefined
      if (seconds > mostSeconds)
        return {
          detail: `This alone has ${Math.ceil(seconds)} seconds of sound, and your quota is ${maxSeconds} seconds a day. Submit it in parts, on several days.`,
        }
      return {
        detail: `With this you would have ${Math.ceil(excess)} seconds of sound transcribed today (UTC); your quota is ${maxSeconds} seconds a day.`,
        secondsLeft: Math.ceil((dayMs - (nowMs % dayMs)) / 1000),
      }
    },
  }
}
