import type { LogProbs } from './logits.ts'
import type { CtcVocabulary } from './vocabulary.ts'

/**
 * How likely each phrase is all that was said, as a log-likelihood beside that of the letters which fit best, whatever they
 * spell: about 0 where nothing fits better, and the more below it the less the phrase was said. No language model has a say:
 * it knows sentences, and a single word alone is none.
 */
export function scoresOfPhrases(logProbs: LogProbs, phrases: readonly string[], vocabulary: CtcVocabulary): number[] {
  const numberOf = new Map(vocabulary.symbols.map((symbol, at) => [symbol, at]))
  const best = bestPath(logProbs)
  return phrases.map((phrase) => {
    const sequence = Array.from(phrase, (letter) => numberOf.get(letter))
    const isWritten = sequence.length > 0 && sequence.every((symbol) => symbol !== undefined)
    return isWritten ? likelihoodOf(logProbs, sequence, vocabulary.blank) - best : -Infinity
  })
}

function bestPath({ data, frames, symbols }: LogProbs): number {
  let sum = 0
  for (let frame = 0; frame < frames; frame++) {
    let most = -Infinity
    for (let at = frame * symbols; at < (frame + 1) * symbols; at++) most = Math.max(most, data[at]!)
    sum += most
  }
  return sum
}

/** Over all the ways to say exactly this sequence in these frames: the forward pass of CTC. */
function likelihoodOf({ data, frames, symbols }: LogProbs, sequence: readonly number[], blank: number): number {
  const states = 2 * sequence.length + 1
  const symbolAt = (state: number): number => (state % 2 === 0 ? blank : sequence[state >> 1]!)
  let scores = new Float64Array(states).fill(-Infinity)
  let next = new Float64Array(states)
  for (let frame = 0; frame < frames; frame++) {
    for (let state = 0; state < states; state++) {
      let sum = frame === 0 ? (state < 2 ? 0 : -Infinity) : scores[state]!
      if (frame > 0 && state > 0) sum = logSum(sum, scores[state - 1]!)
      const skips = state > 1 && state % 2 === 1 && symbolAt(state) !== symbolAt(state - 2)
      if (frame > 0 && skips) sum = logSum(sum, scores[state - 2]!)
      next[state] = sum + data[frame * symbols + symbolAt(state)]!
    }
    ;[scores, next] = [next, scores]
  }
  return frames === 0 ? -Infinity : logSum(scores[states - 1]!, scores[states - 2]!)
}

function logSum(one: number, other: number): number {
  const [more, less] = one > other ? [one, other] : [other, one]
  return less === -Infinity ? more : more + Math.log1p(Math.exp(less - more))
}
