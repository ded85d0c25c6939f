import type { Marks } from './config.ts'

/**
 * What Whisper may say next when it writes times: they come in pairs, never go back, the first comes at once and not
 * later than a second, and when times together are likelier than any single word, a time it is.
 */
interface TimeRules {
  /** Writes -Infinity over the tokens that may not follow `said`. */
  apply(logits: Float32Array, said: readonly number[]): void
}

/** 1 s, in marks of 0.02 s. */
const latestFirstMark = 50

export function timeRules(marks: Marks): TimeRules {
  const { firstTime, noTimes, end } = marks
  const isTime = (token: number | undefined): boolean => token !== undefined && token >= firstTime

  return {
    apply(logits, said) {
      logits[noTimes] = -Infinity
      const last = said.at(-1)
      const afterTime = isTime(last)
      const pairOpen = said.length < 2 || isTime(said.at(-2))
      if (afterTime && pairOpen) logits.fill(-Infinity, firstTime)
      if (afterTime && !pairOpen) logits.fill(-Infinity, 0, end)
      const latest = said.findLast(isTime)
      if (latest !== undefined) {
        // a closing time may repeat as the next opening one; otherwise time moves on
        const from = afterTime && !pairOpen ? latest : latest + 1
        logits.fill(-Infinity, firstTime, from)
      }
      if (said.length === 0) {
        logits.fill(-Infinity, 0, firstTime)
        logits.fill(-Infinity, firstTime + latestFirstMark + 1)
      }
      if (timesWin(logits, firstTime)) logits.fill(-Infinity, 0, firstTime)
    },
  }
}

function timesWin(logits: Float32Array, firstTime: number): boolean {
  let likeliestText = -Infinity
  for (let i = 0; i < firstTime; i++) if (logits[i]! > likeliestText) likeliestText = logits[i]!
  let likeliestTime = -Infinity
  for (let i = firstTime; i < logits.length; i++) if (logits[i]! > likeliestTime) likeliestTime = logits[i]!
  if (likeliestTime === -Infinity) return false
  let sum = 0
  for (let i = firstTime; i < logits.length; i++) sum += Math.exp(logits[i]! - likeliestTime)
  return likeliestTime + Math.log(sum) > likeliestText
}
