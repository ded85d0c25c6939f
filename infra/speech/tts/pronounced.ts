import type { Pronounce } from '../../../actors/conversation/ports.ts'
import { peel } from '../text/script.ts'

/** So many characters more may a clause become: what an engine is given at once has bounds, and so has what one request asks of it. */
const addedMax = 2_000

/** For each word those that are read in its place, with what surrounds it: itself, unless its user wants it otherwise. */
export function pronounced(words: readonly string[], pronounce: Pronounce | undefined): readonly (readonly string[])[] {
  if (!pronounce) return words.map((word) => [word])
  let added = 0
  return words.map((word) => {
    const { before, core, after } = peel(word)
    const spoken = core === '' ? undefined : pronounce(core)
    if (spoken === undefined) return [word]
    added += Math.max(0, spoken.length - core.length)
    return added > addedMax ? [word] : `${before}${spoken.trim()}${after}`.split(/\s+/u)
  })
}
