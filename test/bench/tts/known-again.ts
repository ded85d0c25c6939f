import { errorRates } from '../../../infra/speech/text/error-rate.ts'

/**
 * How many sentences were understood well enough to be told from all others of the list: what was heard is nearer to what
 * was said than to anything else. A recogniser that hardly knows a language misspells nearly every word of it; this says
 * whether what it wrote is still that sentence.
 */
export function knownAgain(
  pairs: readonly { readonly said: string; readonly heard: string }[],
  list: readonly string[],
): number {
  return pairs.filter(({ said, heard }) => {
    const own = distance(said, heard)
    return list.every((other) => other === said || distance(other, heard) > own)
  }).length
}

function distance(said: string, heard: string): number {
  return errorRates([{ said, heard }]).characterErrorRate
}
