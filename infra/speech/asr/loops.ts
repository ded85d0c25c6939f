/**
 * Where a decoder repeats itself: the end of `tokens` is one phrase, `period` tokens long, said over and over.
 * A phrase is a loop when it fills at least `leastTokens` and comes at least `leastRepeats` times: "no, no, no" is
 * speech, and so is a refrain; twelve tokens of nothing new are not.
 */
interface LoopLimits {
  readonly longestPeriod: number
  readonly leastRepeats: number
  readonly leastTokens: number
}

const loopLimits: LoopLimits = { longestPeriod: 24, leastRepeats: 3, leastTokens: 12 }

interface Loop {
  readonly period: number
  /** Index of the first repeated token: what stands before it was said once. */
  readonly from: number
}

export function loopAtEnd(tokens: readonly number[], limits: LoopLimits = loopLimits): Loop | undefined {
  const longest = Math.min(limits.longestPeriod, Math.floor(tokens.length / limits.leastRepeats))
  for (let period = 1; period <= longest; period++) {
    const length = repeatedLength(tokens, period)
    if (length >= limits.leastTokens && length >= period * limits.leastRepeats)
      return { period, from: tokens.length - length + period }
  }
  return undefined
}

/** How many tokens at the end follow the rule "the same as `period` tokens before", the first period included. */
function repeatedLength(tokens: readonly number[], period: number): number {
  let at = tokens.length - 1
  while (at >= period && tokens[at] === tokens[at - period]) at--
  return tokens.length - 1 - at + period
}
