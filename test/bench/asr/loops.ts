import { loopAtEnd } from '../../../infra/speech/asr/loops.ts'

/** In letters, because some loops have no spaces; long enough that no sentence of people is one. */
const limits = { longestPeriod: 60, leastRepeats: 4, leastTokens: 24 }

export const whatIsALoop = `a phrase of up to ${limits.longestPeriod} characters that comes ${limits.leastRepeats} times in a row or more and fills ${limits.leastTokens} characters`

export function countLoops(texts: readonly string[]): number {
  return texts.filter(hasLoop).length
}

function hasLoop(text: string): boolean {
  const letters = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  return letters.some((_, end) => loopAtEnd(letters.slice(0, end + 1), limits) !== undefined)
}
